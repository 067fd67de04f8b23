import { visitorDimension } from '../../dimension.ts';

/** The month of the visitor's first visit, by its first day: `2026-11-01`. */
export const visitorCohortMonth = visitorDimension(
  'visitor:cohort_month',
  ({ timeZone }) => `toString(toStartOfMonth(visit_started_at, ${timeZone}))`,
);
