import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The searched or bought term (`utm_term`), else `(none)`. */
export const visitTerm = visitDimension('visit:term', named(VISIT.term, NONE));
