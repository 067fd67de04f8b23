import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** Which of several links or ads it was (`utm_content`), else `(none)`. */
export const visitContent = visitDimension('visit:content', named(VISIT.content, NONE));
