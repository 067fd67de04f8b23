import type { Bind, VisitDimension } from '../dimension.ts';
import type { Query } from '../query/query.ts';
import { isVisitorOfPersons, joinNumbers, personNumber } from '../query/sql/person-numbers.ts';
import { byPeople, visitColumns } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';

/** SQL of when a visit became a touch, in milliseconds, over rows of `visits`. */
export const TOUCH_AT = 'touched_at';

/** SQL of whether nothing tells where a visit came from, over rows of `visits FINAL`. */
export const IS_DIRECT = "source = '' AND medium = '' AND campaign = '' AND click_id = ''";

/**
 * SQL of the visits of the persons of these rows: `touch_person`, `touch_at`, `touch_visit`, and
 * `v0, v1, …` for dimensions. Of visits that began in the same millisecond, one;
 * with `isFirstEnough`, of each person the first alone.
 */
export function touchesSql(
  persons: string,
  dimensions: readonly VisitDimension[],
  query: Query,
  {
    bind,
    more = '',
    isFirstEnough = false,
  }: { readonly bind: Bind; readonly more?: string; readonly isFirstEnough?: boolean },
): string {
  const visits = visitRowsSql(query, bind, {
    columns: `visitor, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at${more}${visitColumns(dimensions, query, bind)}`,
    where: byPeople(query),
  });
  return `
    SELECT visit.* EXCEPT (visitor), ${personNumber(query)} AS touch_person, 1 AS touch_known
    FROM (${visits}) AS visit ${joinNumbers(query, bind)}
    WHERE ${isVisitorOfPersons(persons, query, bind)}
    ORDER BY touch_at, touch_visit
    LIMIT 1 BY touch_person${isFirstEnough ? '' : ', touch_at'}`;
}
