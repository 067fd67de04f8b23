import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind } from '../dimension.ts';
import type { Query } from '../query/query.ts';
import {
  isVisitorOfPersons,
  joinNumbers,
  personNumber,
  toPersonNumber,
} from '../query/sql/person-numbers.ts';
import { byPeople, DAY_MS, usesColumn } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import { TOUCH_AT } from './touches.ts';

/**
 * SQL of payments, each with the way to it: `path_visits`, how many touches there were in the lookback
 * window, and `path_ms`, the time from the first of them to the payment.
 *
 * - Shape: `persons` are cheaper rows with the same persons. The rows as they are when no metric asks for
 *   it; 0 visits where there was no touch. Rows have a `person_id` and `credit_at`, as for credit.ts, whose idea of a touch this is.
 */
export function withPathSql(rows: string, query: Query, bind: Bind, persons: string): string {
  if (!usesColumn(query, 'path_visits')) return rows;
  const { lookbackDays } = query.attribution;
  const windowAt =
    lookbackDays === null ? 'toInt64(0)' : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
  const visits = visitRowsSql(query, bind, {
    columns: `visitor, ${TOUCH_AT} AS touch_at`,
    where: byPeople(query),
  });
  const late = `arrayExists(at -> at > credit_at AND at <= credit_at + ${LATE_TOUCH_MAX_MS}, touches)`;
  return `
    SELECT * EXCEPT (touches, path_person),
      arrayFilter(at -> at <= credit_at AND at >= ${windowAt}, touches) AS path,
      if(empty(path), toUInt64(${late}), length(path)) AS path_visits,
      if(empty(path), 0, credit_at - arrayMin(path)) AS path_ms
    FROM (${rows}) AS fact LEFT JOIN (
      SELECT ${personNumber(query)} AS path_person, groupUniqArray(touch_at) AS touches
      FROM (${visits}) AS visit ${joinNumbers(query, bind)}
      WHERE ${isVisitorOfPersons(persons, query, bind)}
      GROUP BY path_person
    ) AS way ON ${toPersonNumber('fact.person_id')} = way.path_person`;
}
