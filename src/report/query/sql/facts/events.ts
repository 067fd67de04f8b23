import { NO_VISIT } from '#contract/rows/visit-row.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { type Bind, type FilteredDimension, valueSql } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { toCondition } from '../condition.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../persons.ts';
import {
  ATTENTION,
  all,
  byPeople,
  COUNTED_EVENTS,
  columnOfVisit,
  type FactSql,
  ofSite,
  onlyOfKeys,
  valueColumns,
  within,
} from '../rows.ts';

/**
 * What visitors did in the period, or the tracker's reports of visible time and scrolling, one row each. Visit
 * dimensions come from the event's own visit.
 */
export function eventsSql(plan: FactPlan, bind: Bind): FactSql {
  const [which, more] =
    plan.of === 'attention'
      ? [ATTENTION, 'path, engagement_ms, scroll_depth']
      : [COUNTED_EVENTS, 'type, extends_visit'];
  const { values } = plan;
  const meant = all(
    within('occurred_at', plan, bind),
    byPeople(plan),
    which,
    ...onlyOfKeys(plan.keys),
  );
  // A visit may have begun long before the period; its events limit the search.
  const starts = `(SELECT (minOrNull(visit_started_at), maxOrNull(visit_started_at)) FROM events
      WHERE ${meant} AND visit_id != ${NO_VISIT})`;
  const ofVisits = all(
    ofSite(plan, bind),
    `visit_started_at >= tupleElement(${starts}, 1) AND visit_started_at <= tupleElement(${starts}, 2)`,
  );
  const made = `
    SELECT ${more}, visitor_id, visitor, visit_id, toUnixTimestamp64Milli(occurred_at) AS at${valueColumns('e', values.event, plan, bind)}
    FROM events WHERE ${all(meant, visitCondition(plan, ofVisits, bind))}`;
  const events = withFirstVisitSql(made, plan, bind);
  const where = toCondition(plan.filter, {
    toValue: (dimension) => columnOfVisit(values, dimension),
    hasDone: (filter) => hasDoneSql(plan, filter, bind),
    bind,
  });
  if (values.visit.length === 0) return { from: `(${events}) AS fact`, where };

  const visits = `
    SELECT visit_id AS own_visit, 1 AS known${valueColumns('v', values.visit, plan, bind)}
    FROM visits FINAL WHERE ${ofVisits}`;
  return {
    from: `(${events}) AS fact LEFT JOIN (${visits}) AS visit ON visit_id = own_visit`,
    where,
  };
}

/** SQL condition for events whose visits match the plan's filter of visits. */
function visitCondition(plan: FactPlan, ofVisits: string, bind: Bind): string | undefined {
  const { visitFilter } = plan;
  if (visitFilter === undefined) return undefined;
  const toValue = (dimension: FilteredDimension) => valueSql(dimension, plan, bind);
  const holds = toCondition(visitFilter, { toValue, bind });
  const holdsOfNone = toCondition(visitFilter, { toValue: () => `'${UNATTRIBUTED}'`, bind });
  return `(visit_id IN (SELECT visit_id FROM visits FINAL WHERE ${ofVisits} AND ${holds})
      OR visit_id = ${NO_VISIT} AND ${holdsOfNone})`;
}
