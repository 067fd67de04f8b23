import { PEOPLE_ORDERS, type PeopleOrder } from '#contract/people-orders.ts';
import { VISIT } from '#contract/rows/visit-row.ts';
import type { Bind } from '../dimension.ts';
import { WHOLE_CREDIT } from '../metric.ts';
import type { ReportStatement } from '../ports.ts';
import type { FactPlan } from '../query/plan/plan.ts';
import { conversionsSql } from '../query/sql/facts/conversions.ts';
import { eventsSql } from '../query/sql/facts/events.ts';
import { paymentsSql } from '../query/sql/facts/payments.ts';
import { visitsSql } from '../query/sql/facts/visits.ts';
import {
  isVisitorOfPersons,
  joinPersons,
  personNumber,
  personSql,
  toPersonNumber,
} from '../query/sql/persons.ts';
import {
  all,
  createBindings,
  type FactSql,
  ofSite,
  visitRowsSql,
  visitsOfPeople,
} from '../query/sql/rows.ts';
import type { CreditedPlan } from './people-deps.ts';
import { CLIENT, ORIGIN, visitValuesSql } from './visit-values.ts';

/** Whether a list contains visitors or persons. */
export type PeopleOf = 'visitor' | 'person';

/** Sort key and direction of a list. */
export type PeopleOrderBy = readonly [PeopleOrder, 'asc' | 'desc'];

/** The plan of a list of people. It uses the same facts as every other query. */
export type PeoplePlan = CreditedPlan & {
  readonly of: PeopleOf;
  readonly order: PeopleOrderBy;
  readonly limit: number;
  /** Whether each row has the `total_rows` of the list. */
  readonly countsRows: boolean;
  /** The position of the previous page's last row: `is_null`, `sort_key`, `who`. */
  readonly after: readonly string[] | undefined;
  /** The search text, the persons that the ledger found for it, and whether traits may be searched. */
  readonly search:
    | { readonly text: string; readonly personIds: readonly string[]; readonly isPersonal: boolean }
    | undefined;
  readonly visits: FactPlan;
  readonly events: FactPlan;
};

/**
 * A row of {@link toListStatement}, with its `person`. Numbers are strings.
 *
 * - Units: `conversions` and `payments` in ten-thousandths, `revenue` in minor units of the site's
 *   currency, `last_seen_at` in milliseconds.
 * - Shape: `last_seen_at` is 0 without activity of their own: a backend's goal does not count.
 */
export type PeopleRow = Readonly<
  Record<'who' | 'person' | 'is_null' | 'sort_key' | PeopleOrder, string>
> & { readonly total_rows?: string };

/**
 * The statement for one page of a list, plus one row if there is another page.
 *
 * - Shape: people with a visit, event, payment or refund in the period that matches the filters. Visits, events, goals
 *   and payments are the same facts as in every other query.
 */
export function toListStatement(plan: PeoplePlan): ReportStatement {
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
    FROM (SELECT *${plan.countsRows ? ', count() OVER () AS total_rows' : ''} FROM (${peopleSql(plan, bind)}))
    ${isBehind ?? ''}
    ORDER BY is_null, sort_key, who
    LIMIT ${bind(plan.limit + 1, 'UInt64')}`;
  return { sql, params };
}

/**
 * SQL for everyone in the list, with the same facts as in every other query.
 *
 * - Why grouped by number: groups of texts take half as long again.
 * - Why goals are among the other events, unless visits are credited with them: apart, they take as long as all visits.
 */
function peopleSql(plan: PeoplePlan, bind: Bind): string {
  const isCredited = plan.conversions.credit.to !== 'none';
  const ids = 'visitor_id, visitor';
  const done = [
    rowsSql(DONE, ids, visitsSql(plan.visits, bind), { visits: '1', last_seen_at: 'last_at' }),
    rowsSql(DONE, ids, eventsSql(plan.events, bind), {
      pageviews: "type = 'pageview'",
      last_seen_at: 'if(extends_visit = 1, at, 0)',
      ...(!isCredited && { conversions: `if(type = 'goal', toInt64(${WHOLE_CREDIT}), 0)` }),
    }),
  ];
  if (isCredited) {
    const conversions = conversionsSql(plan.conversions, bind);
    done.push(rowsSql(DONE, ids, conversions, { conversions: 'credit' }));
  }
  const byVisitor = `
    SELECT any(visitor_id) AS visitor_id, visitor, ${sumsSql(DONE)}
    FROM (${done.join(' UNION ALL ')}) GROUP BY visitor`;
  const [who, number] =
    plan.of === 'visitor' ? ['visitor_id', 'visitor'] : ['person_id', personNumber(plan)];
  const seen = rowsSql(
    PEOPLE_ORDERS,
    `visitor_id, ${personSql(plan)} AS person_id, ${number} AS number`,
    { from: `(${byVisitor}) AS seen ${joinPersons(plan, bind)}`, where: '1' },
    Object.fromEntries(DONE.map((name) => [name, name])),
  );
  const paid = rowsSql(
    PEOPLE_ORDERS,
    `visitor_id, person_id, ${toPersonNumber(who)} AS number`,
    paymentsSql(plan.payments, bind),
    {
      payments: "if(kind = 'payment', credit, 0)",
      revenue: "if(kind = 'refund', -shown_minor, shown_minor)",
    },
  );
  return `
    SELECT any(${who}) AS who, any(person_id) AS person, ${sumsSql(PEOPLE_ORDERS)}
    FROM (${seen} UNION ALL ${paid})
    GROUP BY number
    HAVING who != '' AND max(${isFoundSql(plan, bind)})`;
}

/** The figures that visits and events have. The others are of payments. */
const DONE = ['last_seen_at', 'visits', 'pageviews', 'conversions'] as const;

/** SQL that aggregates figures, by name. */
function sumsSql(figures: readonly PeopleOrder[]): string {
  return figures
    .map((name) => `${name === 'last_seen_at' ? 'max' : 'sum'}(${name}) AS ${name}`)
    .join(', ');
}

/** SQL for a fact's rows, with the contribution of each to the figures. */
function rowsSql(
  figures: readonly PeopleOrder[],
  ids: string,
  { from, where }: FactSql,
  counts: Partial<Readonly<Record<PeopleOrder, string>>>,
): string {
  const values = figures.map((name) => `${counts[name] ?? 'toInt64(0)'} AS ${name}`);
  return `SELECT ${ids}, ${values.join(', ')} FROM ${from} WHERE ${where}`;
}

/** SQL condition for the search: any visitor id of the person, what they identified with, or a match in the ledger. */
function isFoundSql(plan: PeoplePlan, bind: Bind): string {
  if (plan.search === undefined) return '1';
  const { text, personIds, isPersonal } = plan.search;
  const has = (value: string) =>
    `positionCaseInsensitiveUTF8(${value}, ${bind(text, 'String')}) > 0`;
  const isTold = isPersonal ? `arrayExists(told -> ${has('told')}, mapValues(props))` : '0';
  const identified = `SELECT visitor FROM events
    WHERE ${all(ofSite(plan, bind), "type = 'identify'", `(${has('user_id')} OR ${isTold})`)}`;
  return `${has('visitor_id')} OR person_id IN (${listSql(personIds)})
    OR ${toPersonNumber('person_id')} IN (
      SELECT ${personNumber(plan)} FROM (${identified}) AS identified ${joinPersons(plan, bind)})`;
}

/** SQL for rows of texts, in base64, which cannot be anything else. Bound values come in a URL, which is too short. */
function listSql(texts: readonly string[]): string {
  const lines = Buffer.from(texts.join('\n')).toString('base64');
  return `SELECT arrayJoin(splitByChar('\\n', base64Decode('${lines}'))) AS text`;
}

/** The first and latest visit of a person or visitor, of all time. */
export type Acquaintance = {
  readonly who: string;
  /** Milliseconds, UTC, as a string. */
  readonly first_at: string;
  readonly first_visit: Readonly<Record<string, string>>;
  readonly latest_visit: Readonly<Record<string, string>>;
};

/**
 * The statement that finds the {@link Acquaintance} of people.
 *
 * - Why their visits are looked up by key: the table is sorted by start, so that only the neighbouring rows must be
 *   merged.
 */
export function toAcquaintanceStatement(
  plan: PeoplePlan,
  people: readonly string[],
): ReportStatement {
  const { bind, params } = createBindings();
  const numbers = `SELECT ${toPersonNumber('text')} AS person_number FROM (${listSql(people)})`;
  const isTheirs =
    plan.of === 'visitor' ? `visitor IN (${numbers})` : isVisitorOfPersons(numbers, plan, bind);
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor_id, visitor, (${VISIT.touchedAt}, visit_id) AS at,
      ${visitValuesSql(ORIGIN, plan, bind)} AS origin,
      ${visitValuesSql([...ORIGIN, ...CLIENT], plan, bind)} AS description`,
    where: visitsOfPeople(plan),
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
