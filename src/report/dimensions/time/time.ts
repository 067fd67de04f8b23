import { timeDimension } from '../../dimension.ts';

/** Time by the unit that suits the period: minutes to 3 hours, hours to 2 days, days to 92, else months. */
export const time = timeDimension('time', 'any');
