import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Referring URL, as the browser sent it; `(none)` without one. */
export const visitReferrer = visitDimension('visit:referrer', named(VISIT.referrer));
