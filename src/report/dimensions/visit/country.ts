import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Country of the visitor, as an ISO 3166-1 code (`DE`); `(none)` if unknown. */
export const visitCountry = visitDimension('visit:country', named(VISIT.country));
