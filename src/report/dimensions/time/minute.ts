import { timeDimension } from '../../dimension.ts';

/** Minutes of the query's time zone: `2026-11-21 14:05:00`. */
export const timeMinute = timeDimension('time:minute', 'minute');
