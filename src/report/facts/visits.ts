import { assert } from '#domain/assert.ts';
import { DEEDS } from '#warehouse/events-table.ts';
import type { Bind, EventDimension, FilteredDimension } from '../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Question } from '../question.ts';
import { toCondition } from '../sql/condition.ts';
import { visitorColumn, withFirstVisitSql } from '../sql/first-visit.ts';
import { hasDoneSql } from '../sql/has-done.ts';
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
} from '../sql/rows.ts';
import { seenColumn, seenSql, splitByEvents } from '../sql/seen-events.ts';
import { visitRowsSql } from '../sql/visit-rows.ts';

/**
 * Visits that began in the period: one row each, or, by dimensions of events, one for each
 * combination of values that an event of the visit has.
 */
export function visitsSql(question: Question, bind: Bind): FactSql {
  const ofVisits = visitDimensions(question);
  const ofEvents = question.dimensions.filter((dimension) => dimension.of === 'event');
  const toValue: FactSql['toValue'] = (dimension) => {
    switch (dimension.of) {
      case 'visit':
        return visitColumn(ofVisits, dimension);
      case 'event':
        return seenColumn(ofEvents, dimension);
      case 'visitor':
        return visitorColumn(question, dimension);
      case 'payment':
        return notOfPayments();
      case 'time':
        return 'at';
    }
  };
  const hasEvent = (filter: Filter) =>
    `visit_id IN (SELECT visit_id FROM events WHERE ${eventsWhere(question, [], filter, bind)})`;
  const hasDone = (filter: Filter) => hasDoneSql(question, filter, bind);

  const began = visitRowsSql(question, bind, {
    columns: `visit_id, visitor_id, visitor, pageviews, goals, engagement_ms,
      toUnixTimestamp64Milli(visit_started_at) AS at, duration_ms,
      toUnixTimestamp64Milli(greatest(last_event_at, first_event_at)) AS last_at${visitColumns(ofVisits, question, bind, 'toLowCardinality')}`,
    where: byPeople(question),
    period: question.period,
  });

  const visits = withFirstVisitSql(began, question, bind);
  const view = { toValue, hasEvent, hasDone, bind };
  if (ofEvents.length === 0) {
    return { from: `(${visits}) AS fact`, where: toCondition(question.filter, view), toValue };
  }

  const { onEvents, onVisits } = splitByEvents(question.filter);
  const seen = seenSql(ofEvents, bind, [eventsWhere(question, ofEvents, onEvents, bind)]);
  return {
    from: `(${visits}) AS fact INNER JOIN (${seen}) AS seen ON visit_id = seen_visit`,
    where: toCondition(onVisits, view),
    toValue,
  };
}

/** Which events of the visits that began in the period are meant. */
function eventsWhere(
  question: Question,
  dimensions: readonly EventDimension[],
  filter: Filter,
  bind: Bind,
): string {
  const toValue = (dimension: FilteredDimension) => {
    assert(dimension.of === 'event', 'only tests of events choose events');
    return dimension.sql(bind);
  };
  return all(
    within('visit_started_at', question, bind),
    // Events are ordered by day: this skips the days before. A client's clock may run ahead.
    `occurred_at >= ${instant(Math.max(0, question.period.startsAt - DAY_MS), bind)}`,
    DEEDS,
    `visit_id != ${NO_VISIT}`,
    ...dimensions.map((dimension) => dimension.only),
    toCondition(filter, { toValue, bind }),
  );
}
