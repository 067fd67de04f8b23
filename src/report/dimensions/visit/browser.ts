import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Browser (`Firefox`); `(none)` if unknown. */
export const visitBrowser = visitDimension('visit:browser', named(VISIT.browser));
