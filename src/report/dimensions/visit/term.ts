import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The searched or bought term (`utm_term`), else `(none)`. */
export const visitTerm = {
  of: 'visit',
  name: 'visit:term',
  sql: named('term', NONE),
} as const satisfies VisitDimension;
