import type { TimeDimension } from '../../dimension.ts';

/** Minutes of the query's time zone: `2026-11-21 14:05:00`. */
export const timeMinute = {
  of: 'time',
  name: 'time:minute',
  unit: 'minute',
} as const satisfies TimeDimension;
