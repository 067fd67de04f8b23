import type { PeopleOrder } from '#contract/people.ts';
import type { Bind } from '../dimension.ts';
import type { FactPlan } from '../query/plan/plan.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { conversionsSql } from '../query/sql/facts/conversions.ts';
import { eventsSql } from '../query/sql/facts/events.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { visitsSql } from '../query/sql/facts/visits.ts';
import {
  isVisitorOfPersons,
  joinPersons,
  personSql,
  toPersonNumber,
} from '../query/sql/persons.ts';
import { all, byPeople, type FactSql } from '../query/sql/rows.ts';
import type { Statement } from '../query/sql/statement.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import type { CreditedPlan } from './people-deps.ts';
import { CLIENT, ORIGIN, visitValuesSql } from './visit-values.ts';

/** Whether a list is of visitors or of persons. */
export type PeopleOf = 'visitor' | 'person';

/** What a list is ordered by, and which way. */
export type PeopleOrderBy = readonly [PeopleOrder, 'asc' | 'desc'];

/** How a list of people is answered: from the facts that every other query is counted from. */
export type PeoplePlan = CreditedPlan & {
  readonly of: PeopleOf;
  readonly order: PeopleOrderBy;
  readonly limit: number;
  /** The place of the row that the page before ended with: `is_null`, `sort_key`, `who`. */
  readonly after: readonly string[] | undefined;
  /** The text to search for, with the persons that the ledger finds by it. */
  readonly search: { readonly text: string; readonly personIds: readonly string[] } | undefined;
  readonly visits: FactPlan;
  readonly events: FactPlan;
};

/** What is counted of what visitors did, and with that of what was paid. */
const SEEN = ['visits', 'pageviews', 'conversions', 'last_seen_at'] as const;
const COUNTED = [...SEEN, 'payments', 'revenue'] as const satisfies readonly PeopleOrder[];

/**
 * A row of {@link toListStatement}'s answer, with whose `person` it is; numbers are texts.
 *
 * - Units: `conversions` and `payments` in ten-thousandths, `revenue` in minor units of the site's
 *   currency, `last_seen_at` in milliseconds.
 * - Shape: `last_seen_at` is 0 for those who were not there: a backend's goal shows nobody there.
 */
export type PeopleRow = Readonly<
  Record<'who' | 'person' | 'is_null' | 'sort_key' | (typeof COUNTED)[number], string>
>;

/**
 * The statement that answers one page of a list, and a row more where there is another page.
 *
 * - Shape: people who visited, did something, paid or was paid back in the period, as far as the filters hold
 *   for each; visits, events, goals and payments are the facts that every other query is counted from.
 */
export function toListStatement(plan: PeoplePlan): Statement {
  const { bind, params } = createBindings();
  const [order, direction] = plan.order;
  const [isNull = '0', sortKey = '0', lastWho = ''] = plan.after ?? [];
  const isBehind =
    plan.after &&
    `WHERE (is_null, sort_key, who) > (toUInt8OrZero(${bind(isNull, 'String')}),
        toInt128OrZero(${bind(sortKey, 'String')}), ${bind(lastWho, 'String')})`;
  const sql = `
    SELECT *, ${order === 'last_seen_at' ? 'last_seen_at = 0' : 'toUInt8(0)'} AS is_null,
      toInt128(${direction === 'desc' ? '-' : ''}${order}) AS sort_key
    FROM (${peopleSql(plan, bind)})
    ${isBehind ?? ''}
    ORDER BY is_null, sort_key, who
    LIMIT ${bind(plan.limit + 1, 'UInt64')}`;
  return { sql, params };
}

/** The statement that counts the rows of a list. */
export function toListCountStatement(plan: PeoplePlan): Statement {
  const { bind, params } = createBindings();
  return { sql: `SELECT count() AS total_rows FROM (${peopleSql(plan, bind)})`, params };
}

function peopleSql(plan: PeoplePlan, bind: Bind): string {
  return `
    SELECT who, any(whose) AS person, ${foldsSql(COUNTED)}
    FROM (${visitorsPartSql(plan, bind)} UNION ALL ${paymentsPartSql(plan, bind)})
    GROUP BY who
    HAVING who != '' AND max(is_found) = 1`;
}

/** Everybody who was there or reached a goal, with each fact as it is counted everywhere. */
function visitorsPartSql(plan: PeoplePlan, bind: Bind): string {
  const facts = [
    rowsSql(visitsSql(plan.visits, bind), { visits: '1', last_seen_at: 'fact.last_at' }),
    rowsSql(eventsSql(plan.events, bind), {
      pageviews: "type = 'pageview'",
      last_seen_at: 'if(extends_visit = 1, at, 0)',
    }),
    rowsSql(conversionsSql(plan.conversions, bind), { conversions: 'credit' }),
  ];
  const person = personSql(plan);
  return `
    SELECT ${plan.of === 'visitor' ? 'visitor_id' : person} AS who, ${person} AS whose,
      ${SEEN.join(', ')}, toInt64(0) AS payments, toInt128(0) AS revenue,
      ${isFoundSql(plan, person, bind)} AS is_found
    FROM (
      SELECT visitor_id, ${toPersonNumber('visitor_id')} AS visitor, ${foldsSql(SEEN)}
      FROM (${facts.join(' UNION ALL ')}) GROUP BY visitor_id
    ) AS seen ${joinPersons(plan, bind)}`;
}

/** SQL of a fact's rows, with what each adds to its visitor's figures. */
function rowsSql(
  { from, where }: FactSql,
  counts: Partial<Readonly<Record<(typeof SEEN)[number], string>>>,
): string {
  const columns = SEEN.map((name) => `toInt64(${counts[name] ?? 0}) AS ${name}`);
  return `SELECT visitor_id, ${columns.join(', ')} FROM ${from} WHERE ${where}`;
}

function paymentsPartSql(plan: PeoplePlan, bind: Bind): string {
  const payments = paymentsSql(plan.payments, bind);
  const zeros = SEEN.map((name) => `toInt64(0) AS ${name}`);
  return `
    SELECT ${plan.of === 'visitor' ? 'visitor_id' : 'person_id'} AS who, any(person_id) AS whose,
      ${zeros.join(', ')}, toInt64(sumIf(credit, kind = 'payment')) AS payments,
      toInt128(sum(if(kind = 'refund', -amount_minor, amount_minor))) AS revenue,
      max(${isFoundSql(plan, 'person_id', bind)}) AS is_found
    FROM ${payments.from}
    WHERE ${payments.where}
    GROUP BY who`;
}

/** SQL of the sums of these columns, by their names; of instants, the latest. */
function foldsSql(names: readonly (typeof COUNTED)[number][]): string {
  return names
    .map((name) => `${name === 'last_seen_at' ? 'max' : 'sum'}(${name}) AS ${name}`)
    .join(', ');
}

/** Any of somebody's visitors is enough, or what the ledger knows the person by. */
function isFoundSql({ search }: PeoplePlan, person: string, bind: Bind): string {
  if (search === undefined) return 'toUInt8(1)';
  const byId = `positionCaseInsensitive(visitor_id, ${bind(search.text, 'String')}) > 0`;
  const byPerson = `has(${bind(search.personIds, 'Array(String)')}, ${person})`;
  return `toUInt8(${byId} OR ${byPerson})`;
}

/** How somebody came first, and how they were there last; of all time. */
export type Acquaintance = {
  readonly who: string;
  /** Milliseconds, UTC, as text. */
  readonly first_at: string;
  readonly first_visit: Readonly<Record<string, string>>;
  readonly latest_visit: Readonly<Record<string, string>>;
};

/**
 * The statement that finds the {@link Acquaintance} of people.
 *
 * - Why their visits are looked up by key: the table is ordered by when visits began, and only what stands
 *   beside these must be merged then.
 */
export function toAcquaintanceStatement(plan: PeoplePlan, people: readonly string[]): Statement {
  const { bind, params } = createBindings();
  const numbers = toPersonNumber(`arrayJoin(${bind(people, 'Array(String)')})`);
  const isTheirs =
    plan.of === 'visitor'
      ? `visitor IN (SELECT ${numbers})`
      : isVisitorOfPersons(`SELECT ${numbers} AS person_number`, plan, bind);
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor_id, visitor, (touched_at, visit_id) AS at,
      ${visitValuesSql(ORIGIN, plan, bind)} AS origin,
      ${visitValuesSql([...ORIGIN, ...CLIENT], plan, bind)} AS description`,
    where: all(byPeople(plan), isTheirs),
    byKey: isTheirs,
  });
  const sql = `
    SELECT ${plan.of === 'visitor' ? 'visitor_id' : personSql(plan)} AS who,
      toString(tupleElement(min(at), 1)) AS first_at,
      argMin(origin, at) AS first_visit, argMax(description, at) AS latest_visit
    FROM (${visits}) AS visit ${joinPersons(plan, bind)}
    GROUP BY who`;
  return { sql, params };
}
