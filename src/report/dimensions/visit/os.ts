import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The operating system by its name (`Windows`), else `(none)`. */
export const visitOs = {
  of: 'visit',
  name: 'visit:os',
  sql: named('os', NONE),
} as const satisfies VisitDimension;
