import type { Bind, EventDimension } from '../../../dimension.ts';
import type { Filter } from '../../filter.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { toCondition } from '../condition.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../has-done.ts';
import {
  all,
  byPeople,
  columnOf,
  DAY_MS,
  eventCondition,
  type FactSql,
  instant,
  NO_VISIT,
  visitColumns,
  within,
} from '../rows.ts';
import { seenSql, splitByEvents } from '../seen-events.ts';
import { visitRowsSql } from '../visit-rows.ts';

/**
 * Visits that began in the period: one row each, or, by dimensions of events, one for each
 * combination of values that an event of the visit has.
 */
export function visitsSql(plan: FactPlan, bind: Bind): FactSql {
  const { values, filter, period } = plan;
  const toValue: FactSql['toValue'] = (dimension) =>
    dimension.of === 'time' ? 'at' : columnOf(values, dimension);
  const hasEvent = (tested: Filter) =>
    `visit_id IN (SELECT visit_id FROM events WHERE ${eventsWhere(plan, [], tested, bind)})`;
  const hasDone = (tested: Filter) => hasDoneSql(plan, tested, bind);
  const view = { toValue, hasEvent, hasDone, bind };

  const began = visitRowsSql(plan, bind, {
    columns: `visit_id, visitor_id, visitor, pageviews, goals, engagement_ms,
      toUnixTimestamp64Milli(visit_started_at) AS at, duration_ms,
      toUnixTimestamp64Milli(greatest(last_event_at, first_event_at)) AS last_at${visitColumns(values.visit, plan, bind)}`,
    where: byPeople(plan),
    period,
  });
  const visits = withFirstVisitSql(began, plan, bind, {
    tellsFirst: plan.needs.has('first_visit'),
  });
  if (values.event.length === 0) {
    return { from: `(${visits}) AS fact`, where: toCondition(filter, view), toValue };
  }

  const { onEvents, onVisits } = splitByEvents(filter);
  const seen = seenSql(values.event, bind, eventsWhere(plan, values.event, onEvents, bind));
  return {
    from: `(${visits}) AS fact INNER JOIN (${seen}) AS seen ON visit_id = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Which events of the visits that began in the period are meant. */
function eventsWhere(
  plan: FactPlan,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  return all(
    within('visit_started_at', plan, bind),
    // Events are ordered by day: this skips the days before. A client's clock may run ahead.
    `occurred_at >= ${instant(Math.max(0, plan.period.startsAt - DAY_MS), bind)}`,
    `visit_id != ${NO_VISIT}`,
    eventCondition(dimensions, filter, bind),
  );
}
