import { visitorDimension } from '../../dimension.ts';

/** The week of the visitor's first visit, by its Monday: `2026-11-16`. */
export const visitorCohortWeek = visitorDimension(
  'visitor:cohort_week',
  ({ timeZone }) => `toString(toMonday(visit_started_at, ${timeZone}))`,
);
