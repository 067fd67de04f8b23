import { NONE, named, visitDimension } from '../../dimension.ts';

/** The operating system with its version (`iOS 26`), its name alone without one; else `(none)`. */
export const visitOsVersion = visitDimension(
  'visit:os_version',
  named(`trimRight(concat(os, ' ', os_version))`, NONE),
);
