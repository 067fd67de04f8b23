import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The browser by its name (`Firefox`), else `(none)`. */
export const visitBrowser = visitDimension('visit:browser', named(VISIT.browser, NONE));
