import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Browser language (`de-DE`); `(none)` if unknown. */
export const visitLanguage = visitDimension('visit:language', named(VISIT.language));
