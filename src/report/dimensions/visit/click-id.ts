import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The parameter of the click id that the visit came with (`gclid`), else `(none)`. */
export const visitClickId = {
  of: 'visit',
  name: 'visit:click_id',
  sql: named('click_id', NONE),
} as const satisfies VisitDimension;
