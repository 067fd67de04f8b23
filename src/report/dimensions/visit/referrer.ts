import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The URL that the visit came from, as the browser sent it, else `(none)`. */
export const visitReferrer = {
  of: 'visit',
  name: 'visit:referrer',
  sql: named('referrer', NONE),
} as const satisfies VisitDimension;
