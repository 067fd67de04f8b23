import type { VisitorDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** The channel of the visitor's first visit, whenever it was. */
export const visitorFirstChannel = {
  of: 'visitor',
  name: 'visitor:first_channel',
  sql: ({ site, bind }) => channelSql(site, bind),
} as const satisfies VisitorDimension;
