import { timeDimension } from '../../dimension.ts';

/** Calendar months, written as their first day: `2026-11-01`. */
export const timeMonth = timeDimension('time:month', 'month');
