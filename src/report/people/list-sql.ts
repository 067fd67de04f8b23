import type { PeopleOrder } from '#contract/people.ts';
import type { Bind } from '../dimension.ts';
import { paymentsSql } from '../facts/payments.ts';
import { visitsSql } from '../facts/visits.ts';
import { createBindings } from '../sql/bindings.ts';
import { joinPersons, personSql } from '../sql/persons.ts';
import type { Statement } from '../sql/statement.ts';
import type { PeopleQuestion } from './people-question.ts';

/** A row of {@link toListStatement}'s answer; numbers are texts. */
export type PeopleRow = {
  readonly who: string;
  /** The person who it is. */
  readonly person: string;
  readonly visits: string;
  readonly pageviews: string;
  readonly conversions: string;
  /** In ten-thousandths. */
  readonly payments: string;
  /** In minor units of the site's currency. */
  readonly revenue: string;
  /** Milliseconds; 0 for who was not there. */
  readonly last_at: string;
  readonly is_null: string;
  readonly sort_key: string;
};

const COUNTED = ['visits', 'pageviews', 'conversions', 'payments', 'revenue', 'last_at'] as const;

const COLUMN_OF: Readonly<Record<PeopleOrder, (typeof COUNTED)[number]>> = {
  last_seen_at: 'last_at',
  visits: 'visits',
  pageviews: 'pageviews',
  conversions: 'conversions',
  payments: 'payments',
  revenue: 'revenue',
};

/**
 * The statement that answers one page of a list, and a row more where there is another page.
 *
 * - Shape: who visited, paid or was paid back in the period, as far as the filters hold; visits and
 *   payments are the facts that every other question is counted from.
 */
export function toListStatement(asked: PeopleQuestion): Statement {
  const { bind, params } = createBindings();
  const [order, direction] = asked.order;
  const column = `n_${COLUMN_OF[order]}`;
  const { after } = asked;
  const isBehind =
    after === undefined
      ? '1'
      : `(is_null, sort_key, who) > (toUInt8OrZero(${bind(after.isNull, 'String')}),
          toInt128OrZero(${bind(after.sortKey, 'String')}), ${bind(after.who, 'String')})`;
  const sql = `
    SELECT who, person, ${COUNTED.map((name) => `toString(n_${name}) AS ${name}`).join(', ')},
      toUInt8(${order === 'last_seen_at' ? `${column} = 0` : '0'}) AS is_null,
      toInt128(${direction === 'desc' ? '-' : ''}${column}) AS sort_key
    FROM (${peopleSql(asked, bind)})
    WHERE ${isBehind}
    ORDER BY is_null, sort_key, who
    LIMIT ${bind(asked.limit + 1, 'UInt64')}`;
  return { sql: `SELECT * REPLACE (toString(sort_key) AS sort_key) FROM (${sql})`, params };
}

/** The statement that counts the rows of a list. */
export function toListCountStatement(asked: PeopleQuestion): Statement {
  const { bind, params } = createBindings();
  return { sql: `SELECT count() AS total_rows FROM (${peopleSql(asked, bind)})`, params };
}

function peopleSql(asked: PeopleQuestion, bind: Bind): string {
  const sums = COUNTED.map((name) => `${name === 'last_at' ? 'max' : 'sum'}(${name}) AS n_${name}`);
  return `
    SELECT who, max(whose) AS person, ${sums.join(', ')}
    FROM (${visitsPartSql(asked, bind)} UNION ALL ${paymentsPartSql(asked, bind)})
    GROUP BY who
    HAVING who != '' AND max(is_found) = 1`;
}

function visitsPartSql({ of, question, search }: PeopleQuestion, bind: Bind): string {
  const visits = visitsSql(question, bind);
  return `
    SELECT ${of === 'visitor' ? 'visitor_id' : personSql(question)} AS who, any(${personSql(question)}) AS whose, toInt128(count()) AS visits,
      toInt128(sum(fact.pageviews)) AS pageviews, toInt128(sum(goals)) AS conversions,
      toInt128(0) AS payments, toInt128(0) AS revenue, max(fact.last_at) AS last_at,
      ${isFoundSql(search, personSql(question), bind)} AS is_found
    FROM ${visits.from} ${joinPersons(question, bind)}
    WHERE ${visits.where}
    GROUP BY who`;
}

function paymentsPartSql({ of, question, search }: PeopleQuestion, bind: Bind): string {
  const payments = paymentsSql(question, bind);
  return `
    SELECT ${of === 'visitor' ? 'visitor_id' : 'person_id'} AS who, any(person_id) AS whose, toInt128(0) AS visits,
      toInt128(0) AS pageviews, toInt128(0) AS conversions,
      toInt128(sumIf(credit, kind = 'payment')) AS payments,
      toInt128(sum(if(kind = 'refund', -amount_minor, amount_minor))) AS revenue,
      toInt64(0) AS last_at, ${isFoundSql(search, 'person_id', bind)} AS is_found
    FROM ${payments.from}
    WHERE ${payments.where}
    GROUP BY who`;
}

/** Any of somebody's visitors is enough, or what the ledger knows the person by. */
function isFoundSql(search: PeopleQuestion['search'], person: string, bind: Bind): string {
  if (search === undefined) return 'toUInt8(1)';
  const byId = `positionCaseInsensitive(visitor_id, ${bind(search.text, 'String')}) > 0`;
  const byPerson = `has(${bind(search.personIds, 'Array(String)')}, ${person})`;
  return `toUInt8(max(${byId} OR ${byPerson}))`;
}
