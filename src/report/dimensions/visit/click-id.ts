import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The parameter of the click id that the visit came with (`gclid`), else `(none)`. */
export const visitClickId = visitDimension('visit:click_id', named(VISIT.click_id, NONE));
