import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** City of the visitor; `(none)` if unknown. */
export const visitCity = visitDimension('visit:city', named(VISIT.city));
