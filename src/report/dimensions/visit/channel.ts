import { visitDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** Channel of the visit (docs/tracking.md). The site's custom channels come first. */
export const visitChannel = visitDimension('visit:channel', (bind, { site }) =>
  channelSql(site, bind),
);
