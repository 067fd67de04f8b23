import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Device of the visitor: `desktop`, `mobile`, `tablet` or `tv`; `(none)` if unknown. */
export const visitDevice = visitDimension('visit:device', named(VISIT.device));
