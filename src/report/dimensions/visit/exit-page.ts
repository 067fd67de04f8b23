import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** Path of the last page of the visit; `(none)` for a visit without a pageview. */
export const visitExitPage = {
  of: 'visit',
  name: 'visit:exit_page',
  sql: named('exit_page', NONE),
} as const satisfies VisitDimension;
