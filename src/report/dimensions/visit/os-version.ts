import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Operating system with version, if known (`iOS 26`); `(none)` if unknown. */
export const visitOsVersion = visitDimension(
  'visit:os_version',
  named(`trimRight(concat(${VISIT.os}, ' ', ${VISIT.os_version}))`),
);
