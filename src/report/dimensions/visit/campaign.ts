import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitDimension } from '../../dimension.ts';

/** The visit's campaign (`utm_campaign`), else `(none)`. */
export const visitCampaign = visitDimension('visit:campaign', named(VISIT.campaign, NONE));
