import { visitorDimension } from '../../dimension.ts';
import { zoneSql } from '../../query/sql/rows.ts';

/** Week of the visitor's first visit, as its Monday: `2026-11-16`. */
export const visitorCohortWeek = visitorDimension(
  'visitor:cohort_week',
  (bind, { period }) => `toString(toMonday(visit_started_at, ${zoneSql(period.timeZone, bind)}))`,
);
