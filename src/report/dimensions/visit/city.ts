import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** City where the visitor was, else `(none)`. */
export const visitCity = visitDimension('visit:city', named(VISIT.city, NONE));
