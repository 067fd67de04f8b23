import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind, VisitDimension } from '../dimension.ts';
import type { FactPlan, Scope } from '../query/plan/plan.ts';
import { type Facts, withWindowSql } from './credited-facts.ts';
import { touchesSql } from './touches.ts';

/**
 * SQL of facts, each with its `touch_path`: the touches that credit is shared among, as `findPath` has them,
 * the earliest first; empty for a fact of nobody known.
 *
 * - Shape: a touch is a tuple of when it was and `columns`, of what {@link touchesSql} has and of
 *   `more`, SQL of columns over rows of `visits`. Rows of facts keep their own columns.
 */
export function withPathsSql(
  { rows, persons }: Pick<Facts, 'rows' | 'persons'>,
  plan: Scope & Pick<FactPlan, 'lookbackDays'>,
  {
    bind,
    columns,
    dimensions = [],
    more,
  }: {
    readonly bind: Bind;
    readonly columns: readonly string[];
    readonly dimensions?: readonly VisitDimension[];
    readonly more: string;
  },
): string {
  const touches = touchesSql(persons, dimensions, plan, { bind, more });
  const touch = ['touch_at', ...columns].join(', ');
  return `
    SELECT * EXCEPT (touches, window_at),
      arrayFilter(touch -> touch.1 >= window_at AND touch.1 <= credit_at, touches) AS within,
      arraySlice(arrayFilter(
        touch -> touch.1 > credit_at AND touch.1 <= credit_at + ${LATE_TOUCH_MAX_MS}, touches
      ), 1, 1) AS behind,
      if(notEmpty(within), within, behind) AS touch_path
    FROM (
      SELECT fact.*, way.touches AS touches
      FROM (${withWindowSql(rows, plan, bind)}) AS fact LEFT JOIN (
        SELECT touch_person, arraySort(touch -> touch.1, groupArray((${touch}))) AS touches
        FROM (${touches}) GROUP BY touch_person
      ) AS way ON fact.person_number = way.touch_person
    )`;
}
