import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Campaign of the visit (`utm_campaign`); `(none)` without one. */
export const visitCampaign = visitDimension('visit:campaign', named(VISIT.campaign));
