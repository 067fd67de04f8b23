import { timeDimension } from '../../dimension.ts';

/** Days of the query's time zone: `2026-11-21`. */
export const timeDay = timeDimension('time:day', 'day');
