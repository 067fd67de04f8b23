import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** Region of the country where the visitor was (`Bavaria`), else `(none)`. */
export const visitRegion = {
  of: 'visit',
  name: 'visit:region',
  sql: named('region', NONE),
} as const satisfies VisitDimension;
