import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** Where the visitor was, as the country's code of ISO 3166-1 (`DE`), else `(none)`. */
export const visitCountry = {
  of: 'visit',
  name: 'visit:country',
  sql: named('country', NONE),
} as const satisfies VisitDimension;
