import type { StoryAnswer, StoryCredit, StoryEvent } from '#contract/story.ts';
import { WHOLE_CREDIT } from '../metric.ts';
import type { ReportSite } from '../ports.ts';
import { filledTexts, toIso, toMoney } from '../query/shape/to-answer-row.ts';
import { type PeopleLedger, toKnownBy } from './people-deps.ts';
import type { CreditRow, StoryFacts, StoryRow } from './story-sql.ts';

/** The person of the story, their identities in the ledger, and whether the reader may see personal data. */
type Context = {
  readonly site: ReportSite;
  readonly person: string;
  readonly ledger: PeopleLedger;
  readonly isPersonal: boolean;
};

/**
 * Formats a story: amounts as money, instants as ISO 8601, and each visit's credit. Undefined if neither the warehouse
 * nor the ledger knows the person.
 */
export async function toStory(
  { visits, visitCount, payments, loneGoals, credits, touches, events }: StoryFacts,
  { site, person, ledger, isPersonal }: Context,
): Promise<Omit<StoryAnswer, 'meta' | 'query'> | undefined> {
  const keysById = await ledger.findPersonKeys(site.id, [person]);
  const { emails, ...known } = toKnownBy(person, keysById.get(person), true);
  const identities = await ledger.findIdentities(site.id, known.visitors);
  const signs = [payments, loneGoals, identities, known.customer_ids, emails ?? []];
  if (visitCount === 0 && signs.every((list) => list.length === 0)) return undefined;

  const transactions = payments.map((payment) => payment.transaction_id);
  const creditsByVisit = Map.groupBy(credits, ({ credit_visit }) => credit_visit);
  const creditsByPayment = Map.groupBy(credits, keyOf);
  const eventsByVisit = Map.groupBy(events, ({ visit_id }) => visit_id);
  const toEvents = (rows: readonly StoryRow[] = []) => rows.map((row) => toEvent(row, isPersonal));
  const touchesByVisit = Map.groupBy(touches, ({ visit_id }) => visit_id);
  const creditOf = (visitId: string, isMeant: (row: CreditRow) => boolean = () => true) =>
    toCredit((creditsByVisit.get(visitId) ?? []).filter(isMeant), site);
  return {
    person: {
      ...known,
      ...(isPersonal && {
        emails,
        names: [...(await ledger.findPayerNames(site.id, transactions))],
      }),
    },
    totals: {
      visits: visitCount,
      gross_revenue: toMoney(
        revenueOf(credits.filter(({ kind }) => kind !== 'refund')),
        site.currency,
      ),
      refunds: toMoney(-revenueOf(credits.filter(isOf('refund'))), site.currency),
      ...toCredit(credits, site),
    },
    visits: visits.map((visit) => ({
      visit_id: visit.visit_id,
      service_visitor_id: visit.visitor_id,
      started_at: toIso(visit.started),
      last_event_at: toIso(visit.ended),
      pageviews: Number(visit.pageviews),
      goals: Number(visit.goals),
      engagement_seconds: Math.round(Number(visit.engagement_ms) / 1_000),
      values: visit.description,
      credit: creditOf(visit.visit_id),
      touches: (touchesByVisit.get(visit.visit_id) ?? []).map(({ touched, description }) => ({
        at: toIso(touched),
        values: description,
        credit: creditOf(visit.visit_id, (row) => row.touched === touched),
      })),
      events: toEvents(eventsByVisit.get(visit.visit_id)),
    })),
    unattributed: creditOf(''),
    payments: payments.map((payment) => ({
      type: payment.kind,
      transaction_id: payment.transaction_id,
      at: toIso(payment.at),
      amount: toMoney(BigInt(payment.amount_minor), payment.currency),
      renewal: payment.renewal === 1,
      ...filledTexts(payment.texts),
      credit: (creditsByPayment.get(keyOf(payment)) ?? [])
        .filter(({ credit_visit }) => credit_visit !== '')
        .map((row) => ({
          visit_id: row.credit_visit,
          touched_at: toIso(row.touched),
          revenue: toMoney(revenueOf([row]), site.currency),
        })),
    })),
    goals_of_no_visit: toEvents(loneGoals),
    identities: identities.map(({ visitorId, userId, email, firstAt, lastAt }) => ({
      service_visitor_id: visitorId,
      ...filledTexts({ user_id: userId, email: isPersonal ? email : '' }),
      first_at: toIso(firstAt),
      last_at: toIso(lastAt),
    })),
  };
}

function keyOf({ kind, transaction_id }: Pick<CreditRow, 'kind' | 'transaction_id'>): string {
  return `${kind} ${transaction_id}`;
}

function toCredit(rows: readonly CreditRow[], { currency }: ReportSite): StoryCredit {
  return {
    revenue: toMoney(revenueOf(rows), currency),
    payments: partsOf(rows.filter(isOf('payment'))),
    conversions: partsOf(rows.filter(isOf('conversion'))),
  };
}

function isOf(kind: CreditRow['kind']) {
  return (row: CreditRow) => row.kind === kind;
}

function revenueOf(rows: readonly CreditRow[]): bigint {
  return rows.reduce((sum, { revenue }) => sum + BigInt(revenue), 0n);
}

function partsOf(rows: readonly CreditRow[]): number {
  return rows.reduce((sum, { credit }) => sum + Number(credit), 0) / WHOLE_CREDIT;
}

function toEvent({ at, type, texts, props }: StoryRow, isPersonal: boolean): StoryEvent {
  const hasProps = isPersonal && Object.keys(props).length > 0;
  return { at: toIso(at), type, ...filledTexts(texts), ...(hasProps && { props }) };
}
