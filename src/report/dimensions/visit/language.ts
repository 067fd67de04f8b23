import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The browser's language as it says (`de-DE`), else `(none)`. */
export const visitLanguage = visitDimension('visit:language', named(VISIT.language, NONE));
