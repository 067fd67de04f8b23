import { visitDimension } from '../../dimension.ts';
import { channelSql } from '../../query/sql/channel.ts';

/** Our grouping of where the visit came from (docs/tracking.md), the site's own rules first. */
export const visitChannel = visitDimension('visit:channel', (bind, { site }) =>
  channelSql(site, bind),
);
