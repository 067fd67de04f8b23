import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import { TOUCH_AT } from '../../attribution/touches.ts';
import { type Bind, NONE, type PaymentDimension } from '../../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { Query } from '../query.ts';
import { isVisitorOfPersons, joinNumbers, personNumber, toPersonNumber } from './person-numbers.ts';
import { all, byPeople } from './rows.ts';
import { visitRowsSql } from './visit-rows.ts';

/**
 * SQL of payments, each with what the payer's last visit up to it tells: columns `w0, w1, …` for the
 * query's dimensions that it tells; `(none)` where none does.
 *
 * - Shape: rows have a `person_id` and `credit_at`, as for credit.ts; `persons` are cheaper rows with the
 *   same. The rows as they are when the query asks for nothing of it.
 * - Shape: where no visit began before the payment, the first of the ten minutes after it, as for credit.
 * - Why all history, whatever the lookback window and the model: it says where somebody was, and not
 *   which visit gets the credit.
 */
export function withLastVisitSql(rows: string, query: Query, bind: Bind, persons: string): string {
  return dimensionsToldByVisit(query).reduce((fact, { sql }, index) => {
    const visits = visitsThatTellSql(sql, persons, query, bind);
    const isLate = `later.seen_at <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;
    return `
    SELECT fact.*,
      multiIf(earlier.told != '', earlier.told, later.told != '' AND ${isLate}, later.told, '${NONE}') AS w${index}
    FROM (${fact}) AS fact
    ASOF LEFT JOIN (${visits}) AS earlier
      ON ${toPersonNumber('fact.person_id')} = earlier.seen_person AND fact.credit_at >= earlier.seen_at
    ASOF LEFT JOIN (${visits}) AS later
      ON ${toPersonNumber('fact.person_id')} = later.seen_person AND fact.credit_at < later.seen_at`;
  }, rows);
}

/** The column of a dimension that {@link withLastVisitSql} adds. */
export function lastVisitColumn(query: Query, wanted: PaymentDimension): string {
  return `w${dimensionsToldByVisit(query).findIndex(({ name }) => name === wanted.name)}`;
}

/** Of visits that began in the same millisecond, one. */
function visitsThatTellSql(value: string, persons: string, query: Query, bind: Bind): string {
  const visits = visitRowsSql(query, bind, {
    columns: `visitor, visit_id, ${TOUCH_AT} AS seen_at, toString(${value}) AS told`,
    where: all(byPeople(query), `${value} != ''`),
  });
  return `
      SELECT ${personNumber(query)} AS seen_person, seen_at, told
      FROM (${visits}) AS visit ${joinNumbers(query, bind)}
      WHERE ${isVisitorOfPersons(persons, query, bind)}
      ORDER BY seen_at, visit_id
      LIMIT 1 BY seen_person, seen_at`;
}

function dimensionsToldByVisit({ dimensions, filter }: Query): PaymentDimension[] {
  const named = new Map([...dimensions, ...filteredDimensions(filter)].map((d) => [d.name, d]));
  return [...named.values()]
    .filter((dimension) => dimension.of === 'payment')
    .filter(({ toldBy }) => toldBy === 'last visit');
}
