import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The operating system by its name (`Windows`), else `(none)`. */
export const visitOs = visitDimension('visit:os', named(VISIT.os, NONE));
