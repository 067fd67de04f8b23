import { timeDimension } from '../../dimension.ts';

/** Hours of the query's time zone: `2026-11-21 14:00:00`. */
export const timeHour = timeDimension('time:hour', 'hour');
