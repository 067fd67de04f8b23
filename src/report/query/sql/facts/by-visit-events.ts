import { NO_VISIT } from '#contract/rows/visit-row.ts';
import { type Filter, partition } from '../../filter.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { type FilterView, toCondition } from '../condition.ts';
import {
  all,
  columnOf,
  columns,
  eventCondition,
  type FactSql,
  onlyOfKeys,
  valueColumns,
} from '../rows.ts';

/**
 * A fact whose rows have a visit, filtered by the plan: a test of events passes if the visit has such an event. With
 * event dimensions, there is a row for each combination of values that one event of the visit has.
 *
 * - Shape: `visit` is the rows' column, `events` SQL for which events of visits count, and `shown` a selective
 *   condition for events whose values are shown.
 * - Why groups and not `DISTINCT`: for millions of visits, groups spill to disk when memory runs out.
 */
export function byVisitEvents(
  rows: string,
  plan: FactPlan,
  {
    visit,
    events,
    shown,
    bind,
    hasDone,
  }: Required<Pick<FilterView, 'hasDone' | 'bind'>> & {
    readonly visit: string;
    readonly events: string;
    readonly shown?: string;
  },
): FactSql {
  const { event } = plan.values;
  const toValue: FilterView['toValue'] = (dimension) => columnOf(plan.values, dimension);
  const own = all(events, `visit_id != ${NO_VISIT}`);
  const hasEvent = (filter: Filter) =>
    `${visit} IN (SELECT visit_id FROM events WHERE ${all(own, eventCondition(filter, plan, bind))})`;
  const view = { toValue, hasEvent, hasDone, bind };
  if (event.length === 0) {
    return { from: `(${rows}) AS fact`, where: toCondition(plan.filter, view) };
  }
  // A breakdown shows the same event that passes the filter.
  const [onEvents, onVisits] = partition(plan.filter, 'event');
  const seen = `
    SELECT visit_id AS seen_visit${valueColumns('e', event, plan, bind)}
    FROM events ${shown === undefined ? '' : `PREWHERE ${shown}`}
    WHERE ${all(own, ...onlyOfKeys(plan.keys), eventCondition(onEvents, plan, bind))}
    GROUP BY ${['seen_visit', ...columns('e', event)].join(', ')}`;
  return {
    from: `(${rows}) AS fact INNER JOIN (${seen}) AS seen ON ${visit} = seen_visit`,
    where: toCondition(onVisits, view),
  };
}
