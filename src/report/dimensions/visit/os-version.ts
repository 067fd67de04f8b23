import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The operating system with its version (`iOS 26`), its name alone without one; else `(none)`. */
export const visitOsVersion = visitDimension(
  'visit:os_version',
  named(`trimRight(concat(${VISIT.os}, ' ', ${VISIT.os_version}))`, NONE),
);
