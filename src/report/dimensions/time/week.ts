import type { TimeDimension } from '../../dimension.ts';

/** Weeks from Monday (ISO 8601), written as their first day: `2026-11-16`. */
export const timeWeek = {
  of: 'time',
  name: 'time:week',
  unit: 'week',
} as const satisfies TimeDimension;
