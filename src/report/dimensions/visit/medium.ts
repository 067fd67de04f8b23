import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** How the visit came: `email`, `cpc`, `referral`; `(none)` when nothing says. */
export const visitMedium = visitDimension('visit:medium', named(VISIT.medium, NONE));
