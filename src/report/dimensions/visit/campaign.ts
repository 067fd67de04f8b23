import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The visit's campaign (`utm_campaign`), else `(none)`. */
export const visitCampaign = {
  of: 'visit',
  name: 'visit:campaign',
  sql: named('campaign', NONE),
} as const satisfies VisitDimension;
