import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Link or ad variant (`utm_content`); `(none)` without one. */
export const visitContent = visitDimension('visit:content', named(VISIT.content));
