import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** Path of the first page of the visit; `(none)` for a visit without a pageview. */
export const visitEntryPage = {
  of: 'visit',
  name: 'visit:entry_page',
  sql: named('entry_page', NONE),
} as const satisfies VisitDimension;
