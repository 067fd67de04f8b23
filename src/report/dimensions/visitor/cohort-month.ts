import type { VisitorDimension } from '../../dimension.ts';

/** The month of the visitor's first visit, by its first day: `2026-11-01`. */
export const visitorCohortMonth = {
  of: 'visitor',
  name: 'visitor:cohort_month',
  sql: ({ timeZone }) => `toString(toStartOfMonth(visit_started_at, ${timeZone}))`,
} as const satisfies VisitorDimension;
