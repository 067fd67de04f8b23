import { visitorDimension } from '../../dimension.ts';
import { zoneSql } from '../../query/sql/rows.ts';

/** Month of the visitor's first visit, as its first day: `2026-11-01`. */
export const visitorCohortMonth = visitorDimension(
  'visitor:cohort_month',
  (bind, { period }) =>
    `toString(toStartOfMonth(visit_started_at, ${zoneSql(period.timeZone, bind)}))`,
);
