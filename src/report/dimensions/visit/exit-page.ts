import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Path of the last page of the visit; `(none)` for a visit without a pageview. */
export const visitExitPage = visitDimension('visit:exit_page', named(VISIT.exit_page));
