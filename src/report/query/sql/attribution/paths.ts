import { VISIT } from '#contract/rows/visit-row.ts';
import { LATE_TOUCH_MAX_MS } from '#domain/attribution/touch-times.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { type Bind, zoneSql } from '../../../dimension.ts';
import type { FactPlan, Scope } from '../../plan/plan.ts';
import { isVisitorOfPersons, joinPersons, personNumber } from '../persons.ts';
import { all, visitRowsSql, visitsOfPeople } from '../rows.ts';

/** Facts credited by the paths to them. */
export type Facts = {
  /** SQL for rows with a `person_number`, and `credit_at`, the latest time of a touch (milliseconds). */
  readonly rows: string;
  /** Cheaper rows with the same persons. */
  readonly persons: string;
};

/** What a path holds of each touch: SQL over rows of `visits`. */
type Touches = {
  /** By name, in the order of a touch's elements. */
  readonly columns: Readonly<Record<string, string>>;
  /** Only the visits for which this holds, each as one touch. */
  readonly visits?: string;
};

/** The plan's fields for paths. */
type PathPlan = Scope & Pick<FactPlan, 'lookbackDays'>;

/**
 * SQL for facts with their `touch_path`, the touches that share the credit, earliest first: those in the lookback
 * window (`within`), else the first that began within ten minutes after the fact, else none. Empty if the person is
 * unknown.
 *
 * - Shape: a touch is a tuple of its time and the columns. Facts keep their own columns.
 */
export function withPathsSql(
  { rows, persons }: Facts,
  plan: PathPlan,
  bind: Bind,
  touches: Touches,
): string {
  const touch = ['touch_at', ...Object.keys(touches.columns)].join(', ');
  const { lookbackDays } = plan;
  const windowAt =
    lookbackDays === null ? '0' : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
  return `
    SELECT fact.*,
      arrayFilter(touch -> touch.1 >= ${windowAt} AND touch.1 <= credit_at, way.touches) AS within,
      arraySlice(arrayFilter(
        touch -> touch.1 > credit_at AND touch.1 <= credit_at + ${LATE_TOUCH_MAX_MS}, way.touches
      ), 1, 1) AS behind,
      if(notEmpty(within), within, behind) AS touch_path
    FROM (${rows}) AS fact LEFT JOIN (
      SELECT touch_person, arraySort(touch -> touch.1, groupArray(tuple(${touch}))) AS touches
      FROM (${touchesSql(persons, plan, touches, bind)}) GROUP BY touch_person
    ) AS way ON fact.person_number = way.touch_person`;
}

/**
 * SQL for payments with `path_visits`, the number of visits on their path, and `path_ms`, the time from the first
 * touch in the lookback window to the payment.
 */
export function withWaySql(facts: Facts, plan: PathPlan, bind: Bind): string {
  const paths = withPathsSql(facts, plan, bind, { columns: { of_visit: 'visit_id' } });
  return `
    SELECT * EXCEPT (within, behind, touch_path),
      length(arrayDistinct(arrayMap(touch -> touch.2, touch_path))) AS path_visits,
      if(empty(within), 0, credit_at - within[1].1) AS path_ms
    FROM (${paths})`;
}

/**
 * SQL for the touches of the persons in these rows: `touch_person`, `touch_at` and the columns. Only one of those in
 * the same millisecond.
 */
function touchesSql(
  persons: string,
  scope: Scope,
  { columns, visits }: Touches,
  bind: Bind,
): string {
  const own = Object.entries(columns).map(([name, sql]) => `, ${sql} AS ${name}`);
  const touches = visitRowsSql(scope, bind, {
    columns: `visitor, visit_id, ${VISIT.touchedAt} AS touch_at${own.join('')}`,
    where: all(visitsOfPeople(scope), isVisitorOfPersons(persons, scope, bind), visits),
    hasTouches: visits === undefined,
  });
  return `
    SELECT touch.* EXCEPT (visitor, visit_id), ${personNumber(scope)} AS touch_person
    FROM (${touches}) AS touch ${joinPersons(scope, bind)}
    ORDER BY touch_at, visit_id
    LIMIT 1 BY touch_person, touch_at`;
}

/**
 * SQL for the time until which touches count, over rows of `payments`: the payment's time, or the end of its day if
 * only the date is known, which is stored as midnight in the site's zone.
 */
export function creditAtSql({ site }: Scope, bind: Bind): string {
  const day = `toStartOfDay(paid_at, ${zoneSql(site.timezone, bind)})`;
  return `if(toInt64(toUnixTimestamp(${day})) * 1000 = toUnixTimestamp64Milli(paid_at),
        toInt64(toUnixTimestamp(addDays(${day}, 1))) * 1000 - 1, toUnixTimestamp64Milli(paid_at))`;
}
