import type { Bind, VisitDimension } from '../dimension.ts';
import type { Scope } from '../query/plan/plan.ts';
import { isVisitorOfPersons, joinNumbers, personNumber } from '../query/sql/person-numbers.ts';
import { all, byPeople, visitColumns } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import { TOUCH_AT } from './touch-at.ts';

/**
 * SQL of the visits of the persons of these rows: `touch_person`, `touch_at`, `touch_visit`, and
 * `v0, v1, …` for dimensions. Of visits that began in the same millisecond, one;
 * with `isFirstEnough`, of each person the first alone.
 */
export function touchesSql(
  persons: string,
  dimensions: readonly VisitDimension[],
  scope: Scope,
  {
    bind,
    more = '',
    isFirstEnough = false,
  }: { readonly bind: Bind; readonly more?: string; readonly isFirstEnough?: boolean },
): string {
  const visits = visitRowsSql(scope, bind, {
    columns: `visitor, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at${more}${visitColumns(dimensions, scope, bind)}`,
    where: all(byPeople(scope), isVisitorOfPersons(persons, scope, bind)),
  });
  return `
    SELECT visit.* EXCEPT (visitor), ${personNumber(scope)} AS touch_person, 1 AS touch_known
    FROM (${visits}) AS visit ${joinNumbers(scope, bind)}
    ORDER BY touch_at, touch_visit
    LIMIT 1 BY touch_person${isFirstEnough ? '' : ', touch_at'}`;
}
