import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Operating system (`Windows`); `(none)` if unknown. */
export const visitOs = visitDimension('visit:os', named(VISIT.os));
