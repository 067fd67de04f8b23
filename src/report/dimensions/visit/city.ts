import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** City where the visitor was, else `(none)`. */
export const visitCity = {
  of: 'visit',
  name: 'visit:city',
  sql: named('city', NONE),
} as const satisfies VisitDimension;
