import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** Where the visitor was, as the country's code of ISO 3166-1 (`DE`), else `(none)`. */
export const visitCountry = visitDimension('visit:country', named(VISIT.country, NONE));
