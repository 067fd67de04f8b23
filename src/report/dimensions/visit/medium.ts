import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Medium of the visit: `email`, `cpc`, `referral`; `(none)` without one. */
export const visitMedium = visitDimension('visit:medium', named(VISIT.medium));
