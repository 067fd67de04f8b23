import { visitorDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** Channel of the visitor's first visit ever. */
export const visitorFirstChannel = visitorDimension('visitor:first_channel', (bind, { site }) =>
  channelSql(site, bind),
);
