import { VISIT } from '#contract/rows/visit-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Bind } from '../../../dimension.ts';
import type { FactPlan } from '../../plan/plan.ts';
import { withFirstVisitSql } from '../first-visit.ts';
import { hasDoneSql } from '../persons.ts';
import {
  all,
  type FactSql,
  instant,
  valueColumns,
  visitRowsSql,
  visitsOfPeople,
  within,
} from '../rows.ts';
import { byVisitEvents } from './by-visit-events.ts';

/** Visits that began in the period. */
export function visitsSql(plan: FactPlan, bind: Bind): FactSql {
  const { values, period } = plan;
  const began = visitRowsSql(plan, bind, {
    columns: `visit_id, visitor_id, visitor, pageviews, goals, engagement_ms,
      toUnixTimestamp64Milli(visit_started_at) AS at, ${VISIT.durationMs} AS duration_ms,
      ${VISIT.endedAt} AS last_at${valueColumns('v', values.visit, plan, bind)}`,
    where: visitsOfPeople(plan),
    period,
  });
  return byVisitEvents(withFirstVisitSql(began, plan, bind), plan, {
    visit: 'visit_id',
    events: all(
      within('visit_started_at', plan, bind),
      // Events are sorted by day, so this skips earlier days. A client's clock may run ahead.
      `occurred_at >= ${instant(Math.max(0, period.startsAt - DAY_MS), bind)}`,
    ),
    hasDone: (filter) => hasDoneSql(plan, filter, bind),
    bind,
  });
}
