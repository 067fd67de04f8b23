import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** What the visitor held or sat at: `desktop`, `mobile`, `tablet`, `tv`; else `(none)`. */
export const visitDevice = {
  of: 'visit',
  name: 'visit:device',
  sql: named('device', NONE),
} as const satisfies VisitDimension;
