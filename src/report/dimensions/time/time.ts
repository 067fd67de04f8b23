import { timeDimension } from '../../dimension.ts';

/** Time in the unit that suits the period: minutes up to 3 hours, hours up to 2 days, days up to 92, else months. */
export const time = timeDimension('time', 'any');
