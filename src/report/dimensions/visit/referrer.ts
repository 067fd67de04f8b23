import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The URL that the visit came from, as the browser sent it, else `(none)`. */
export const visitReferrer = visitDimension('visit:referrer', named(VISIT.referrer, NONE));
