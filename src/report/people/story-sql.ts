import { NO_VISIT, OF_TOUCH, VISIT } from '#contract/rows/visit-row.ts';
import { STORY_EVENTS_MAX, STORY_FACTS_MAX } from '#contract/story.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Bind } from '../dimension.ts';
import type { ReportWarehouse } from '../ports.ts';
import { conversionsSql } from '../query/sql/facts/conversions.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { isVisitorOfPersons, joinPayers, personSql, toPersonNumber } from '../query/sql/persons.ts';
import {
  all,
  byPeople,
  COUNTED_EVENTS,
  createBindings,
  instant,
  ofSite,
  visitRowsSql,
  visitsOfPeople,
  within,
} from '../query/sql/rows.ts';
import type { CreditedPlan } from './people-deps.ts';
import { VISIT_VALUES, visitValuesSql } from './visit-values.ts';

/** The plan of a person's events, payments and credited visits. */
type StoryPlan = CreditedPlan & { readonly person: string };

/** A page of visits: their number, and the visit (start in milliseconds, and id) that they follow. */
type StoryPage = { readonly limit: number; readonly after: readonly string[] | undefined };

/** Everything in the warehouse about a person. */
export type StoryFacts = Awaited<ReturnType<typeof findStory>>;

type VisitRow = Readonly<
  Record<
    'visit_id' | 'visitor_id' | 'started' | 'ended' | 'pageviews' | 'goals' | 'engagement_ms',
    string
  >
> & { readonly description: Record<string, string> };

/** A touch of a visit: its own, or a further one. */
type TouchRow = Readonly<Record<'visit_id' | 'touched', string>> & {
  readonly description: Record<string, string>;
};

/** An event, with its visit. */
export type StoryRow = Readonly<Record<'visit_id' | 'at' | 'type', string>> &
  Readonly<Record<'texts' | 'props', Record<string, string>>>;

/** A payment or refund, in its original currency. */
type PaymentRow = Readonly<
  Record<'transaction_id' | 'at' | 'amount_minor' | 'currency', string>
> & {
  readonly kind: 'payment' | 'refund';
  readonly renewal: number;
  readonly texts: Readonly<Record<string, string>>;
};

/**
 * A touch's credit for a payment, refund or goal. `credit_visit` is empty for credit without a visit.
 *
 * - Units: `touched` in milliseconds, `revenue` in minor units of the site's currency, below 0 for a refund; `credit` in
 *   ten-thousandths.
 */
export type CreditRow = Readonly<
  Record<'credit_visit' | 'touched' | 'transaction_id' | 'revenue' | 'credit', string>
> & { readonly kind: 'payment' | 'refund' | 'conversion' };

/** Finds a person's activity: a page of all visits ever, and events and payments of the period. */
export async function findStory(warehouse: ReportWarehouse, plan: StoryPlan, page: StoryPage) {
  const select = selectFrom(warehouse);
  const [found, [count], payments, loneGoals, credits] = await Promise.all([
    select<VisitRow>((bind) => visitsSql(plan, page, bind)),
    select<{ visits: string }>((bind) => theirVisitsSql(plan, bind, 'count() AS visits')),
    select<PaymentRow>((bind) => theirPaymentsSql(plan, bind)),
    select<StoryRow>((bind) => loneGoalsSql(plan, bind)),
    select<CreditRow>((bind) => creditsSql(plan, bind)),
  ]);
  const visits = found.slice(0, page.limit);
  const end = found.length > page.limit ? visits.at(-1) : undefined;
  const [touches, events] =
    visits.length === 0
      ? [[], []]
      : await Promise.all([
          select<TouchRow>((bind) => touchesSql(plan, visits, bind)),
          select<StoryRow>((bind) => eventsSql(plan, visits, bind)),
        ]);
  return {
    visits,
    visitCount: Number(count?.visits ?? 0),
    /** The position of the page's last visit, if there is another page. */
    last: end && [end.started, end.visit_id],
    payments,
    loneGoals,
    credits,
    touches,
    events,
  };
}

/** Finds a visitor's person, like every query. */
export async function findPerson(
  warehouse: ReportWarehouse,
  siteId: string,
  id: string,
): Promise<string> {
  const [row] = await selectFrom(warehouse)<{ person_id: string }>(
    (bind) => `SELECT person_id FROM persons FINAL
      WHERE site_id = ${bind(siteId, 'String')} AND kind = 'visitor' AND key = ${bind(id, 'String')}`,
  );
  return row?.person_id ?? id;
}

function selectFrom(warehouse: ReportWarehouse) {
  return <Row>(toSql: (bind: Bind) => string) => {
    const { bind, params } = createBindings();
    return warehouse.select<Row>({ sql: toSql(bind), params });
  };
}

const MILLIS = 'toUnixTimestamp64Milli';

function visitsSql(plan: StoryPlan, { limit, after }: StoryPage, bind: Bind): string {
  const [startedAt = '', visitId = ''] = after ?? [];
  const place = `(${MILLIS}(visit_started_at), toString(visit_id))`;
  const isBehind =
    after && `${place} < (toInt64OrZero(${bind(startedAt, 'String')}), ${bind(visitId, 'String')})`;
  const columns = `visit_id, visitor_id, ${MILLIS}(visit_started_at) AS started,
      ${VISIT.endedAt} AS ended, pageviews, goals, engagement_ms,
      ${visitValuesSql(VISIT_VALUES, plan, bind)} AS description`;
  return `
    ${theirVisitsSql(plan, bind, columns, isBehind)}
    ORDER BY ${place} DESC
    LIMIT ${bind(limit + 1, 'UInt64')}`;
}

function theirVisitsSql(plan: StoryPlan, bind: Bind, columns: string, where?: string): string {
  return visitRowsSql(plan, bind, {
    columns,
    where: all(visitsOfPeople(plan), where),
    byKey: isTheirs(plan, bind),
  });
}

/** SQL condition for rows of the person's visitors. */
function isTheirs(plan: StoryPlan, bind: Bind): string {
  const number = toPersonNumber(bind(plan.person, 'String'));
  return isVisitorOfPersons(`SELECT ${number} AS person_number`, plan, bind);
}

const SELECT_EVENTS = `
    SELECT visit_id, ${MILLIS}(occurred_at) AS at, type, props,
      map('page', path, 'title', title, 'goal', if(type = 'goal', name, '')) AS texts
    FROM events`;

/** The touches of these visits, in order. */
function touchesSql(plan: StoryPlan, visits: readonly VisitRow[], bind: Bind): string {
  const started = visits.map((visit) => Number(visit.started));
  const visitIds = visits.map(({ visit_id }) => visit_id);
  const touches = visitRowsSql(plan, bind, {
    columns: `visit_id, ${VISIT.touchedAt} AS touched, ${visitValuesSql(OF_TOUCH, plan, bind)} AS description`,
    where: `visit_id IN ${bind(visitIds, 'Array(UUID)')}`,
    period: { startsAt: Math.min(...started), endsAt: Math.max(...started) + 1 },
    hasTouches: true,
  });
  return `${touches} ORDER BY touched`;
}

/** The events of these visits, in order. Visitors are looked up by the table's key. */
function eventsSql(plan: StoryPlan, visits: readonly VisitRow[], bind: Bind): string {
  const startsAt = Math.min(...visits.map(({ started }) => Number(started)));
  const endsAt = Math.max(...visits.map(({ ended }) => Number(ended)));
  const visitIds = visits.map(({ visit_id }) => visit_id);
  const visitorIds = [...new Set(visits.map(({ visitor_id }) => visitor_id))];
  return `${SELECT_EVENTS}
    WHERE ${ofSite(plan, bind)} AND ${COUNTED_EVENTS}
      AND occurred_at >= ${instant(Math.max(0, startsAt - DAY_MS), bind)}
      AND occurred_at <= ${instant(endsAt + DAY_MS, bind)}
      AND visitor_id IN ${bind(visitorIds, 'Array(String)')}
      AND visit_id IN ${bind(visitIds, 'Array(UUID)')}
    ORDER BY occurred_at, event_id
    LIMIT ${STORY_EVENTS_MAX} BY visit_id`;
}

/** Goals without a visit in the period, latest first. */
function loneGoalsSql(plan: StoryPlan, bind: Bind): string {
  return `${SELECT_EVENTS}
    WHERE ${within('occurred_at', plan, bind)} AND ${byPeople(plan)} AND type = 'goal'
      AND visit_id = ${NO_VISIT} AND ${isTheirs(plan, bind)}
    ORDER BY occurred_at DESC, event_id
    LIMIT ${STORY_FACTS_MAX}`;
}

/** Payments and refunds of the period, latest first. */
function theirPaymentsSql(plan: StoryPlan, bind: Bind): string {
  return `
    SELECT kind, transaction_id, ${MILLIS}(occurred_at) AS at, amount_minor, currency, renewal,
      map('original_transaction_id', original_transaction_id, 'product', product,
        'customer_id', customer_id, 'service_visitor_id', visitor_id) AS texts
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)}  AND ${personSql(plan)} = ${bind(plan.person, 'String')}
    ORDER BY occurred_at DESC, kind, transaction_id
    LIMIT ${STORY_FACTS_MAX}`;
}

/**
 * Each touch's credit for each payment and for all goals. These are the same facts that other queries aggregate by
 * source, so both agree to the cent.
 */
function creditsSql(plan: StoryPlan, bind: Bind): string {
  const payments = paymentsSql({ ...plan.payments, person: plan.person }, bind);
  const conversions = conversionsSql({ ...plan.conversions, person: plan.person }, bind);
  const touch = `if(credited_visit = ${NO_VISIT}, '', toString(credited_visit)) AS credit_visit,
      credited_at AS touched`;
  return `
    SELECT ${touch}, kind, transaction_id, toString(sum(credit)) AS credit,
      toString(sum(if(kind = 'refund', -1, 1) * shown_minor)) AS revenue
    FROM ${payments.from} WHERE ${payments.where}
    GROUP BY credit_visit, touched, kind, transaction_id
    UNION ALL
    SELECT ${touch}, 'conversion' AS kind, '' AS transaction_id, toString(sum(credit)) AS credit, '0' AS revenue
    FROM ${conversions.from} WHERE ${conversions.where}
    GROUP BY credit_visit, touched`;
}
