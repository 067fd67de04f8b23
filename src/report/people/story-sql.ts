import { STORY_EVENTS_MAX, STORY_FACTS_MAX } from '#contract/story.ts';
import type { Bind } from '../dimension.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { conversionsSql } from '../query/sql/facts/conversions.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { isVisitorOfPersons, joinPayers, personSql, toPersonNumber } from '../query/sql/persons.ts';
import {
  all,
  byPeople,
  COUNTED_EVENTS,
  DAY_MS,
  instant,
  NO_VISIT,
  ofSite,
  within,
} from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import type { CreditedPlan } from './plan-credited.ts';
import { VISIT_VALUES, visitValuesSql } from './visit-values.ts';

/** The plan of what one person did and paid, and of which visits get the credit. */
export type StoryPlan = CreditedPlan & { readonly person: string };

/** Which visits to find: so many, behind the one that began then (milliseconds) and has that id. */
export type StoryPage = { readonly limit: number; readonly after: readonly string[] | undefined };

/** What the warehouse has of a person, numbers as texts. */
export type StoryFacts = {
  /** A page of the visits of all time, the latest first, and one more. */
  readonly visits: readonly VisitRow[];
  readonly visitCount: number;
  /** Of the period, the latest first. */
  readonly payments: readonly PaymentRow[];
  /** Goals of no visit in the period, the latest first. */
  readonly loneGoals: readonly EventRow[];
  readonly credits: readonly CreditRow[];
};

/** A visit. */
export type VisitRow = Readonly<
  Record<
    | 'visit'
    | 'visitor_id'
    | 'started_at'
    | 'last_at'
    | 'n_pageviews'
    | 'n_goals'
    | 'n_engagement_ms',
    string
  >
> & { readonly description: Readonly<Record<string, string>> };

/** An event, with the visit that it happened in. */
export type EventRow = Readonly<
  Record<'visit' | 'at' | 'type' | 'path' | 'title' | 'name', string>
> & { readonly props: Readonly<Record<string, string>> };

/** A payment or refund; the amount as it was paid. */
export type PaymentRow = Readonly<
  Record<
    | 'transaction_id'
    | 'original_transaction_id'
    | 'at'
    | 'amount'
    | 'currency'
    | 'product'
    | 'customer_id'
    | 'visitor_id',
    string
  >
> & { readonly kind: 'payment' | 'refund'; readonly is_renewal: number };

/** What a visit gets of a payment, refund or goal; of no visit, with an empty `credit_visit`. */
export type CreditRow = {
  readonly credit_visit: string;
  readonly kind: 'payment' | 'refund' | 'conversion';
  /** Empty for goals. */
  readonly transaction_id: string;
  /** Minor units of the site's currency, of a refund too. */
  readonly amount: string;
  /** In ten-thousandths. */
  readonly credit: string;
};

/** Finds what a person did and paid. */
export async function findStory(
  warehouse: ReportWarehouse,
  plan: StoryPlan,
  page: StoryPage,
): Promise<StoryFacts> {
  const select = selectFrom(warehouse);
  const [visits, [count], payments, loneGoals, credits] = await Promise.all([
    select<VisitRow>((bind) => visitsSql(plan, page, bind)),
    select<{ visits: string }>((bind) => theirVisitsSql(plan, bind, 'count() AS visits')),
    select<PaymentRow>((bind) => theirPaymentsSql(plan, bind)),
    select<EventRow>((bind) => loneGoalsSql(plan, bind)),
    select<CreditRow>((bind) => creditsSql(plan, bind)),
  ]);
  return { visits, visitCount: Number(count?.visits ?? 0), payments, loneGoals, credits };
}

/** Finds what happened in some of a person's visits, in its order. */
export async function findEvents(
  warehouse: ReportWarehouse,
  plan: StoryPlan,
  visits: readonly VisitRow[],
): Promise<readonly EventRow[]> {
  if (visits.length === 0) return [];
  const startsAt = Math.min(...visits.map((visit) => Number(visit.started_at)));
  const endsAt = Math.max(...visits.map((visit) => Number(visit.last_at)));
  const ids = visits.map(({ visit }) => visit);
  return selectFrom(warehouse)<EventRow>(
    (bind) => `
    SELECT ${EVENT_COLUMNS}
    FROM events
    WHERE ${ofSite(plan, bind)} AND ${COUNTED_EVENTS} AND ${isTheirs(plan, bind)}
      AND occurred_at >= ${instant(Math.max(0, startsAt - DAY_MS), bind)}
      AND occurred_at <= ${instant(endsAt + DAY_MS, bind)}
      AND visit_id IN (SELECT toUUID(arrayJoin(${bind(ids, 'Array(String)')})))
    ORDER BY occurred_at, event_id
    LIMIT ${STORY_EVENTS_MAX} BY visit_id`,
  );
}

/** Finds who a visitor is, as every query has it. */
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

const MILLIS = (instantSql: string) => `toString(toUnixTimestamp64Milli(${instantSql}))`;

const EVENT_COLUMNS = `
  toString(visit_id) AS visit, ${MILLIS('occurred_at')} AS at, type, path, title, name, props`;

function visitsSql(plan: StoryPlan, { limit, after }: StoryPage, bind: Bind): string {
  const [startedAt = '', visitId = ''] = after ?? [];
  const isBehind =
    after &&
    `(toUnixTimestamp64Milli(visit_started_at), toString(visit_id)) <
        (toInt64OrZero(${bind(startedAt, 'String')}), ${bind(visitId, 'String')})`;
  const columns = `toString(visit_id) AS visit, visitor_id, ${MILLIS('visit_started_at')} AS started_at,
      ${MILLIS('greatest(last_event_at, first_event_at)')} AS last_at, toString(pageviews) AS n_pageviews,
      toString(goals) AS n_goals, toString(engagement_ms) AS n_engagement_ms,
      ${visitValuesSql(VISIT_VALUES, plan.site, bind)} AS description`;
  return `
    ${theirVisitsSql(plan, bind, columns, isBehind)}
    ORDER BY toUnixTimestamp64Milli(visit_started_at) DESC, toString(visit_id) DESC
    LIMIT ${bind(limit + 1, 'UInt64')}`;
}

function theirVisitsSql(plan: StoryPlan, bind: Bind, columns: string, where?: string): string {
  return visitRowsSql(plan, bind, {
    columns,
    where: all(byPeople(plan), where),
    byKey: isTheirs(plan, bind),
  });
}

/** SQL that holds for rows of visitors who are the person. */
function isTheirs(plan: StoryPlan, bind: Bind): string {
  const number = toPersonNumber(bind(plan.person, 'String'));
  return isVisitorOfPersons(`SELECT ${number} AS person_number`, plan, bind);
}

function loneGoalsSql(plan: StoryPlan, bind: Bind): string {
  return `
    SELECT ${EVENT_COLUMNS}
    FROM events
    WHERE ${within('occurred_at', plan, bind)} AND ${byPeople(plan)} AND type = 'goal'
      AND visit_id = ${NO_VISIT} AND ${isTheirs(plan, bind)}
    ORDER BY occurred_at DESC, event_id
    LIMIT ${STORY_FACTS_MAX}`;
}

function theirPaymentsSql(plan: StoryPlan, bind: Bind): string {
  return `
    SELECT kind, transaction_id, original_transaction_id, ${MILLIS('occurred_at')} AS at,
      toString(amount_minor) AS amount, currency, renewal AS is_renewal, product, customer_id, visitor_id
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)}
      AND ${personSql(plan)} = ${bind(plan.person, 'String')}
    ORDER BY occurred_at DESC, kind, transaction_id
    LIMIT ${STORY_FACTS_MAX}`;
}

/**
 * What each visit gets of each payment, and of all goals: the very facts that other queries sum up by
 * source, so that both agree to the cent.
 */
function creditsSql(plan: StoryPlan, bind: Bind): string {
  const payments = paymentsSql({ ...plan.payments, person: plan.person }, bind);
  const conversions = conversionsSql({ ...plan.conversions, person: plan.person }, bind);
  const visit = `if(credited_visit = ${NO_VISIT}, '', toString(credited_visit)) AS credit_visit`;
  return `
    SELECT ${visit}, kind, transaction_id, toString(sum(amount_minor)) AS amount, toString(sum(credit)) AS credit
    FROM ${payments.from} WHERE ${payments.where}
    GROUP BY credit_visit, kind, transaction_id
    UNION ALL
    SELECT ${visit}, 'conversion' AS kind, '' AS transaction_id, '0' AS amount, toString(sum(credit)) AS credit
    FROM ${conversions.from} WHERE ${conversions.where}
    GROUP BY credit_visit`;
}
