import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The browser by its name (`Firefox`), else `(none)`. */
export const visitBrowser = {
  of: 'visit',
  name: 'visit:browser',
  sql: named('browser', NONE),
} as const satisfies VisitDimension;
