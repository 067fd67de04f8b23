import { visitorDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** The channel of the visitor's first visit, whenever it was. */
export const visitorFirstChannel = visitorDimension('visitor:first_channel', (bind, { site }) =>
  channelSql(site, bind),
);
