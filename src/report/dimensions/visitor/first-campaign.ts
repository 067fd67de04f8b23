import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitorDimension } from '../../dimension.ts';

/** Campaign of the visitor's first visit ever. */
export const visitorFirstCampaign = visitorDimension(
  'visitor:first_campaign',
  named(VISIT.campaign),
);
