import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** What the visitor held or sat at: `desktop`, `mobile`, `tablet`, `tv`; else `(none)`. */
export const visitDevice = visitDimension('visit:device', named(VISIT.device, NONE));
