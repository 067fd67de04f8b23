import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Browser with version, if known (`Chrome 146`); `(none)` if unknown. */
export const visitBrowserVersion = visitDimension(
  'visit:browser_version',
  named(`trimRight(concat(${VISIT.browser}, ' ', ${VISIT.browser_version}))`),
);
