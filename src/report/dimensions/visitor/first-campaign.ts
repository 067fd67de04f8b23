import { NONE, named, type VisitorDimension } from '../../dimension.ts';

/** The campaign of the visitor's first visit, whenever it was. */
export const visitorFirstCampaign = {
  of: 'visitor',
  name: 'visitor:first_campaign',
  sql: () => named('campaign', NONE),
} as const satisfies VisitorDimension;
