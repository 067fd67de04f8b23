import type { VisitDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** Our grouping of where the visit came from (docs/tracking.md), the site's own rules first. */
export const visitChannel = {
  of: 'visit',
  name: 'visit:channel',
  sql: channelSql,
} as const satisfies VisitDimension;
