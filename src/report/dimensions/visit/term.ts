import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Search term or paid keyword (`utm_term`); `(none)` without one. */
export const visitTerm = visitDimension('visit:term', named(VISIT.term));
