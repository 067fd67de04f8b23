import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** How the visit came: `email`, `cpc`, `referral`; `(none)` when nothing says. */
export const visitMedium = {
  of: 'visit',
  name: 'visit:medium',
  sql: named('medium', NONE),
} as const satisfies VisitDimension;
