import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** Region of the country where the visitor was (`Bavaria`), else `(none)`. */
export const visitRegion = visitDimension('visit:region', named(VISIT.region, NONE));
