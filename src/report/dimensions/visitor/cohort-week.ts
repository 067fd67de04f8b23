import type { VisitorDimension } from '../../dimension.ts';

/** The week of the visitor's first visit, by its Monday: `2026-11-16`. */
export const visitorCohortWeek = {
  of: 'visitor',
  name: 'visitor:cohort_week',
  sql: ({ timeZone }) => `toString(toMonday(visit_started_at, ${timeZone}))`,
} as const satisfies VisitorDimension;
