import type { TimeDimension } from '../../dimension.ts';

/** Days of the query's time zone: `2026-11-21`. */
export const timeDay = {
  of: 'time',
  name: 'time:day',
  unit: 'day',
} as const satisfies TimeDimension;
