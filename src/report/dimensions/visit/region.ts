import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Region of the visitor (`Bavaria`); `(none)` if unknown. */
export const visitRegion = visitDimension('visit:region', named(VISIT.region));
