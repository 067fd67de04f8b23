import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind } from '../dimension.ts';
import type { FactPlan } from '../query/plan/plan.ts';
import { isVisitorOfPersons, joinNumbers, personNumber } from '../query/sql/person-numbers.ts';
import { all, byPeople } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import { windowAtSql } from './credited-facts.ts';
import { TOUCH_AT } from './touch-at.ts';

/**
 * SQL of payments, each with the way to it: `path_visits`, how many touches there were in the lookback
 * window, and `path_ms`, the time from the first of them to the payment.
 *
 * - Shape: `persons` are cheaper rows with the same persons. 0 visits where there was no touch. Rows have a `person_id` and `credit_at`, as for credit.ts, whose idea of a touch this is.
 */
export function withPathSql(rows: string, plan: FactPlan, bind: Bind, persons: string): string {
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, ${TOUCH_AT} AS touch_at`,
    where: all(byPeople(plan), isVisitorOfPersons(persons, plan, bind)),
  });
  const late = `arrayExists(at -> at > credit_at AND at <= credit_at + ${LATE_TOUCH_MAX_MS}, touches)`;
  return `
    SELECT * EXCEPT (touches, path_person),
      arrayFilter(at -> at <= credit_at AND at >= ${windowAtSql(plan.lookbackDays, bind)}, touches) AS path,
      if(empty(path), toUInt64(${late}), length(path)) AS path_visits,
      if(empty(path), 0, credit_at - arrayMin(path)) AS path_ms
    FROM (${rows}) AS fact LEFT JOIN (
      SELECT ${personNumber(plan)} AS path_person, groupUniqArray(touch_at) AS touches
      FROM (${visits}) AS visit ${joinNumbers(plan, bind)}
      GROUP BY path_person
    ) AS way ON fact.person_number = way.path_person`;
}
