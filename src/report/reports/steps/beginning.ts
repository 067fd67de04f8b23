import type { Bind } from '../../dimension.ts';
import { namesEvents } from '../../query/filter.ts';
import type { ReportPlan } from '../../query/plan/plan.ts';
import { toCondition } from '../../query/sql/condition.ts';
import { withFirstVisitSql } from '../../query/sql/first-visit.ts';
import { personHasDoneSql } from '../../query/sql/persons.ts';
import {
  all,
  columnOfVisit,
  eventCondition,
  type FactSql,
  valueColumns,
  visitRowsSql,
  within,
} from '../../query/sql/rows.ts';
import { withVisits } from './payments.ts';

/** Whether a plan needs the visit that something began in. */
export function needsBegunVisit({ values, filter }: ReportPlan): boolean {
  return values.visit.length > 0 || namesEvents(filter);
}

/**
 * Rows with a `person_number`, and the `visit` they began in if {@link needsBegunVisit}, with that visit's values of
 * the plan's dimensions, and filtered by them.
 *
 * - Shape: an event filter passes if the visit has such an event. `among` is cheaper SQL for all possible
 *   `person_number`.
 */
export function beginningSql(
  rows: string,
  among: string,
  { plan, bind }: { readonly plan: ReportPlan; readonly bind: Bind },
): FactSql {
  const { values } = plan;
  const around = withVisits(plan);
  const events = within('occurred_at', around, bind);
  const own = withFirstVisitSql(rows, plan, bind, { of: 'person', among });
  const where = toCondition(plan.filter, {
    toValue: (dimension) => columnOfVisit(values, dimension),
    hasEvent: (filter) =>
      `visit IN (SELECT visit_id FROM events WHERE ${all(events, eventCondition(filter, plan, bind))})`,
    hasDone: (filter) => personHasDoneSql(plan, filter, bind),
    bind,
  });
  if (values.visit.length === 0) return { from: `(${own}) AS fact`, where };
  // Many visits, few beginnings: the former are looked up in the latter.
  const visits = visitRowsSql(plan, bind, {
    columns: `visit_id AS own_visit, 1 AS known${valueColumns('v', values.visit, plan, bind)}`,
    where: '1',
    period: around.period,
  });
  return { from: `(${visits}) AS begun RIGHT JOIN (${own}) AS fact ON own_visit = visit`, where };
}
