import type { TimeDimension } from '../../dimension.ts';

/** Calendar months, written as their first day: `2026-11-01`. */
export const timeMonth = {
  of: 'time',
  name: 'time:month',
  unit: 'month',
} as const satisfies TimeDimension;
