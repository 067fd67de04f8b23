import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, named, visitorDimension } from '../../dimension.ts';

/** The campaign of the visitor's first visit, whenever it was. */
export const visitorFirstCampaign = visitorDimension(
  'visitor:first_campaign',
  named(VISIT.campaign, NONE),
);
