import type {
  StoryAnswer,
  StoryCredit,
  StoryEvent,
  StoryPayment,
  StoryVisit,
} from '#contract/story.ts';
import type { PersonKeys, StatedIdentity } from '#ledger/persons/find-person-keys.ts';
import { WHOLE_CREDIT } from '../attribution/whole-credit.ts';
import type { ReportSite } from '../ports.ts';
import { toIso, toMoney, withoutEmpty } from '../query/shape/to-answer-row.ts';
import type { CreditRow, EventRow, StoryFacts } from './story-sql.ts';

/** Whose story it is, what happened in the visits of its page, and what a reader may see. */
export type StoryContext = {
  readonly site: ReportSite;
  readonly person: string;
  readonly keys: PersonKeys;
  readonly identities: readonly StatedIdentity[];
  readonly names: readonly string[];
  readonly events: readonly EventRow[];
  /** Whether e-mail addresses, names and properties are shown. */
  readonly isPersonal: boolean;
};

/** The story: amounts as money, instants as texts, credit where it is due. */
export function toStory(
  facts: StoryFacts,
  context: StoryContext,
): Omit<StoryAnswer, 'meta' | 'query'> {
  const { site, person, keys, names, isPersonal } = context;
  const creditsByVisit = Map.groupBy(facts.credits, ({ credit_visit }) => credit_visit);
  const eventsByVisit = Map.groupBy(context.events, ({ visit }) => visit);
  return {
    person: {
      person_id: person,
      visitors: [...keys.visitors],
      user_ids: [...keys.users],
      customer_ids: [...keys.customers],
      ...(isPersonal && { emails: [...keys.emails], names: [...names] }),
    },
    totals: toTotals(facts, site),
    visits: facts.visits.map((visit): StoryVisit => {
      const { visit: id, visitor_id, description } = visit;
      return {
        visit_id: id,
        service_visitor_id: visitor_id,
        started_at: toIso(visit.started_at),
        last_event_at: toIso(visit.last_at),
        pageviews: Number(visit.n_pageviews),
        goals: Number(visit.n_goals),
        engagement_seconds: Math.round(Number(visit.n_engagement_ms) / 1_000),
        values: description,
        credit: toCredit(creditsByVisit.get(id) ?? [], site),
        events: (eventsByVisit.get(id) ?? []).map((event) => toEvent(event, isPersonal)),
      };
    }),
    unattributed: toCredit(creditsByVisit.get('') ?? [], site),
    payments: toPayments(facts, site),
    goals_of_no_visit: facts.loneGoals.map((event) => toEvent(event, isPersonal)),
    identities: context.identities.map((identity) => ({
      service_visitor_id: identity.visitorId,
      ...withoutEmpty({
        user_id: identity.userId,
        email: isPersonal ? identity.email : '',
      }),
      first_at: toIso(identity.firstAt),
      last_at: toIso(identity.lastAt),
    })),
  };
}

function toTotals({ credits, visitCount }: StoryFacts, site: ReportSite): StoryAnswer['totals'] {
  const of = (kind: CreditRow['kind']) => credits.filter((row) => row.kind === kind);
  const amountOf = (rows: readonly CreditRow[]) =>
    rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const gross = amountOf(of('payment'));
  const refunds = amountOf(of('refund'));
  return {
    visits: visitCount,
    gross_revenue: toMoney(gross, site.currency),
    refunds: toMoney(refunds, site.currency),
    revenue: toMoney(gross - refunds, site.currency),
    payments: toParts(of('payment')),
    conversions: toParts(of('conversion')),
  };
}

function toCredit(rows: readonly CreditRow[], { currency }: ReportSite): StoryCredit {
  const revenue = rows.reduce((sum, row) => sum + signed(row), 0n);
  return {
    revenue: toMoney(revenue, currency),
    payments: toParts(rows.filter(({ kind }) => kind === 'payment')),
    conversions: toParts(rows.filter(({ kind }) => kind === 'conversion')),
  };
}

/** A refund takes back. */
function signed({ kind, amount }: CreditRow): bigint {
  return kind === 'refund' ? -BigInt(amount) : BigInt(amount);
}

function toParts(rows: readonly CreditRow[]): number {
  return rows.reduce((sum, { credit }) => sum + Number(credit), 0) / WHOLE_CREDIT;
}

function toPayments({ payments, credits }: StoryFacts, site: ReportSite): StoryPayment[] {
  const keyOf = ({ kind, transaction_id }: Pick<CreditRow, 'kind' | 'transaction_id'>) =>
    `${kind} ${transaction_id}`;
  const creditsByKey = Map.groupBy(credits, keyOf);
  return payments.map((payment) => ({
    type: payment.kind,
    transaction_id: payment.transaction_id,
    at: toIso(payment.at),
    amount: toMoney(BigInt(payment.amount), payment.currency),
    renewal: payment.is_renewal === 1,
    ...withoutEmpty({
      original_transaction_id: payment.original_transaction_id,
      product: payment.product,
      customer_id: payment.customer_id,
      service_visitor_id: payment.visitor_id,
    }),
    credit: (creditsByKey.get(keyOf(payment)) ?? [])
      .filter((row) => row.credit_visit !== '')
      .map((row) => ({ visit_id: row.credit_visit, revenue: toMoney(signed(row), site.currency) })),
  }));
}

function toEvent(event: EventRow, isPersonal: boolean): StoryEvent {
  const { type, path, title, name, props } = event;
  const hasProps = isPersonal && Object.keys(props).length > 0;
  return {
    at: toIso(event.at),
    type,
    ...withoutEmpty({ page: path, title, goal: type === 'goal' ? name : '' }),
    ...(hasProps && { props }),
  };
}
