import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The browser with its version (`Chrome 146`), its name alone without one; else `(none)`. */
export const visitBrowserVersion = visitDimension(
  'visit:browser_version',
  named(`trimRight(concat(${VISIT.browser}, ' ', ${VISIT.browser_version}))`, NONE),
);
