import { STORY_EVENTS_MAX, STORY_FACTS_MAX } from '#contract/story.ts';
import type { Bind } from '../dimension.ts';
import type { ReportStatement } from '../ports.ts';
import type { FactPlan, Scope } from '../query/plan/plan.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { conversionsSql } from '../query/sql/facts/conversions.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { isVisitorOf, joinPayers, personSql } from '../query/sql/persons.ts';
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
import type { Statement } from '../query/sql/statement.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import { VISIT_VALUES, visitValuesSql } from './visit-values.ts';

/** The plan of what one person did and paid, and of which visits get the credit. */
export type StoryPlan = Scope & {
  readonly person: string;
  readonly payments: FactPlan;
  readonly conversions: FactPlan;
};

/** A visit's place among others: when it began (milliseconds), and its id. */
export type VisitPlace = { readonly startedAt: string; readonly visitId: string };

/** A row of {@link toVisitsStatement}'s answer; numbers are texts. */
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

/** The statement that finds a page of a person's visits of all time, the latest first, and one more. */
export function toVisitsStatement(
  plan: StoryPlan,
  limit: number,
  after: VisitPlace | undefined,
): Statement {
  const { bind, params } = createBindings();
  const isBehind =
    after &&
    `(toUnixTimestamp64Milli(visit_started_at), toString(visit_id)) <
        (toInt64OrZero(${bind(after.startedAt, 'String')}), ${bind(after.visitId, 'String')})`;
  const columns = `toString(visit_id) AS visit, visitor_id, ${MILLIS('visit_started_at')} AS started_at,
      ${MILLIS('greatest(last_event_at, first_event_at)')} AS last_at, toString(pageviews) AS n_pageviews,
      toString(goals) AS n_goals, toString(engagement_ms) AS n_engagement_ms,
      ${visitValuesSql(VISIT_VALUES, plan.site, bind)} AS description`;
  const sql = `
    ${theirVisitsSql(plan, bind, columns, isBehind)}
    ORDER BY toUnixTimestamp64Milli(visit_started_at) DESC, toString(visit_id) DESC
    LIMIT ${bind(limit + 1, 'UInt64')}`;
  return { sql, params };
}

/** The statement that counts a person's visits of all time. */
export function toVisitCountStatement(plan: StoryPlan): Statement {
  const { bind, params } = createBindings();
  return { sql: theirVisitsSql(plan, bind, 'toString(count()) AS visits'), params };
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
  return isVisitorOf(`SELECT ${bind(plan.person, 'String')} AS person_id`, plan, bind);
}

const MILLIS = (instantSql: string) => `toString(toUnixTimestamp64Milli(${instantSql}))`;

/** A row of {@link toEventsStatement}'s answer. */
export type EventOfVisit = {
  readonly visit: string;
  readonly at: string;
  readonly type: string;
  readonly path: string;
  readonly title: string;
  readonly name: string;
  readonly props: Readonly<Record<string, string>>;
};

const EVENT_COLUMNS = `
  toString(visit_id) AS visit, ${MILLIS('occurred_at')} AS at, type, path, title, name, props`;

/** The statement that finds what happened in some of a person's visits, in its order. */
export function toEventsStatement(
  plan: StoryPlan,
  visits: readonly string[],
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
): Statement {
  const { bind, params } = createBindings();
  const sql = `
    SELECT ${EVENT_COLUMNS}
    FROM events
    WHERE ${ofSite(plan, bind)} AND ${COUNTED_EVENTS} AND ${isTheirs(plan, bind)}
      AND occurred_at >= ${instant(Math.max(0, startsAt - DAY_MS), bind)}
      AND occurred_at <= ${instant(endsAt + DAY_MS, bind)}
      AND visit_id IN (SELECT toUUID(arrayJoin(${bind(visits, 'Array(String)')})))
    ORDER BY occurred_at, event_id
    LIMIT ${STORY_EVENTS_MAX} BY visit_id`;
  return { sql, params };
}

/** The statement that finds a person's goals of no visit in the period, the latest first. */
export function toLoneGoalsStatement(plan: StoryPlan): Statement {
  const { bind, params } = createBindings();
  const sql = `
    SELECT ${EVENT_COLUMNS}
    FROM events
    WHERE ${within('occurred_at', plan, bind)} AND ${byPeople(plan)} AND type = 'goal'
      AND visit_id = ${NO_VISIT} AND ${isTheirs(plan, bind)}
    ORDER BY occurred_at DESC, event_id
    LIMIT ${STORY_FACTS_MAX}`;
  return { sql, params };
}

/** A row of {@link toPaymentsStatement}'s answer; amounts as they were paid. */
export type PaymentOfPerson = {
  readonly kind: 'payment' | 'refund';
  readonly transaction_id: string;
  readonly original_transaction_id: string;
  readonly at: string;
  readonly amount: string;
  readonly currency: string;
  readonly is_renewal: number;
  readonly product: string;
  readonly customer_id: string;
  readonly visitor_id: string;
};

/** The statement that finds a person's payments and refunds of the period, the latest first. */
export function toPaymentsStatement(plan: StoryPlan): Statement {
  const { bind, params } = createBindings();
  const sql = `
    SELECT kind, transaction_id, original_transaction_id, ${MILLIS('occurred_at')} AS at,
      toString(amount_minor) AS amount, currency, renewal AS is_renewal, product, customer_id, visitor_id
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)}
      AND ${personSql(plan)} = ${bind(plan.person, 'String')}
    ORDER BY occurred_at DESC, kind, transaction_id
    LIMIT ${STORY_FACTS_MAX}`;
  return { sql, params };
}

/** What a visit gets of a payment, refund or goal; of no visit, with an empty `told_visit`. */
export type CreditRow = {
  readonly told_visit: string;
  readonly kind: 'payment' | 'refund' | 'conversion';
  /** Empty for goals. */
  readonly transaction_id: string;
  /** Minor units of the site's currency, of a refund too. */
  readonly amount: string;
  /** In ten-thousandths. */
  readonly credit: string;
};

/**
 * The statement that tells what each visit gets of each payment, and of all goals: the very facts that
 * other queries sum up by source, so that both agree to the cent.
 */
export function toCreditStatement(plan: StoryPlan): ReportStatement {
  const { bind, params } = createBindings();
  const payments = paymentsSql(plan.payments, bind);
  const conversions = conversionsSql(plan.conversions, bind);
  const visit = `if(credited_visit = ${NO_VISIT}, '', toString(credited_visit)) AS told_visit`;
  const sql = `
    SELECT ${visit}, kind, transaction_id, toString(sum(amount_minor)) AS amount, toString(sum(credit)) AS credit
    FROM ${payments.from} WHERE ${payments.where}
    GROUP BY told_visit, kind, transaction_id
    UNION ALL
    SELECT ${visit}, 'conversion' AS kind, '' AS transaction_id, '0' AS amount, toString(sum(credit)) AS credit
    FROM ${conversions.from} WHERE ${conversions.where}
    GROUP BY told_visit`;
  return { sql, params };
}
