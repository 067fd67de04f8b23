import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/tables/events.ts';
import type { Bind, EventDimension, FilteredDimension } from '../../../dimension.ts';
import type { Filter } from '../../filter.ts';
import type { Query } from '../../query.ts';
import { toCondition } from '../condition.ts';
import { visitorColumn, withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../has-done.ts';
import {
  all,
  byPeople,
  DAY_MS,
  type FactSql,
  instant,
  NO_VISIT,
  notOfPayments,
  visitColumn,
  visitColumns,
  visitDimensions,
  within,
} from '../rows.ts';
import { seenColumn, seenSql, splitByEvents } from '../seen-events.ts';
import { visitRowsSql } from '../visit-rows.ts';

/**
 * Visits that began in the period: one row each, or, by dimensions of events, one for each
 * combination of values that an event of the visit has.
 */
export function visitsSql(query: Query, bind: Bind): FactSql {
  const ofVisits = visitDimensions(query);
  const ofEvents = query.dimensions.filter((dimension) => dimension.of === 'event');
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return seenColumn(ofEvents, dimension);
      case 'visitor':
        return visitorColumn(query, dimension);
      case 'payment':
        return notOfPayments();
      case 'time':
        return 'at';
    }
  };
  const hasEvent = (filter: Filter) =>
    `visit_id IN (SELECT visit_id FROM events WHERE ${eventsWhere(query, [], filter, bind)})`;
  const hasDone = (filter: Filter) => hasDoneSql(query, filter, bind);

  const began = visitRowsSql(query, bind, {
    columns: `visit_id, visitor_id, visitor, pageviews, goals, engagement_ms,
      toUnixTimestamp64Milli(visit_started_at) AS at, duration_ms,
      toUnixTimestamp64Milli(greatest(last_event_at, first_event_at)) AS last_at${visitColumns(ofVisits, query, bind, 'toLowCardinality')}`,
    where: byPeople(query),
    period: query.period,
  });

  const visits = withFirstVisitSql(began, query, bind);
  const view = { toValue, hasEvent, hasDone, bind };
  if (ofEvents.length === 0) {
    return { from: `(${visits}) AS fact`, where: toCondition(query.filter, view), toValue };
  }

  const { onEvents, onVisits } = splitByEvents(query.filter);
  const seen = seenSql(ofEvents, bind, [eventsWhere(query, ofEvents, onEvents, bind)]);
  return {
    from: `(${visits}) AS fact INNER JOIN (${seen}) AS seen ON visit_id = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Which events of the visits that began in the period are meant. */
function eventsWhere(
  query: Query,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  const toValue = (dimension: FilteredDimension) => {
    assert(dimension.of === 'event', 'only tests of events choose events');
    return dimension.sql(bind);
  };
  return all(
    within('visit_started_at', query, bind),
    // Events are ordered by day: this skips the days before. A client's clock may run ahead.
    `occurred_at >= ${instant(Math.max(0, query.period.startsAt - DAY_MS), bind)}`,
    DEEDS,
    `visit_id != ${NO_VISIT}`,
    ...dimensions.map((dimension) => dimension.only),
    toCondition(filter, { toValue, bind }),
  );
}
