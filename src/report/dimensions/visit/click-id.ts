import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Parameter name of the visit's click id (`gclid`); `(none)` without one. */
export const visitClickId = visitDimension('visit:click_id', named(VISIT.click_id));
