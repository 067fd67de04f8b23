import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The operating system with its version (`iOS 26`), its name alone without one; else `(none)`. */
export const visitOsVersion = {
  of: 'visit',
  name: 'visit:os_version',
  sql: named(`trimRight(concat(os, ' ', os_version))`, NONE),
} as const satisfies VisitDimension;
