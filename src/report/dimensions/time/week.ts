import { timeDimension } from '../../dimension.ts';

/** Weeks beginning on Monday (ISO 8601), written as their first day: `2026-11-16`. */
export const timeWeek = timeDimension('time:week', 'week');
