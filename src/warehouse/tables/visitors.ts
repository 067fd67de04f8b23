import { DURABLE } from './table-settings.ts';
import type { View } from './views.ts';
import { IS_REPORTED } from './visits.ts';

const FIRST = 'Tuple(at Int64, bot_class String)';
const LAST = 'Tuple(at Int64, visit_id UUID, visit_started_at Int64)';

/**
 * The table of visitors: what a goal needs to know of its visitor, one row a visitor and insert until
 * they merge.
 *
 * - Units: instants in milliseconds since 1970.
 * - Shape: `visitor` is 64 bits of the id. `first` is of the first pageview, or of the first event
 *   where there is none; `last` of the last event that extends a visit.
 * - Why small granules: visitors are looked up one by one.
 */
const TABLE = `
CREATE TABLE IF NOT EXISTS visitors (
  site_id LowCardinality(String),
  visitor UInt64 CODEC(LZ4),
  pageviews SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  first SimpleAggregateFunction(min, ${FIRST}) CODEC(ZSTD),
  last SimpleAggregateFunction(max, ${LAST}) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
ORDER BY (site_id, visitor)
SETTINGS ${DURABLE}, index_granularity = 512`;

/** Later than any pageview. */
const NO_PAGEVIEW_MS = 4_000_000_000_000;

/** SQL of when a visitor was seen first, in milliseconds. */
export const FIRST_AT_MS = `(first.at % ${NO_PAGEVIEW_MS})`;

/** SQL of whether an event `e` makes a row: a goal that a backend reports brings nobody. */
export const MAKES_VISITOR = `NOT (${IS_REPORTED})`;

function select({ from, where }: { readonly from: string; readonly where: string }): string {
  const at = `toUnixTimestamp64Milli(e.occurred_at) + if(e.type = 'pageview', 0, ${NO_PAGEVIEW_MS})`;
  const lastAt = 'if(e.extends_visit = 1, toUnixTimestamp64Milli(e.occurred_at), 0)';
  const startedAt = 'toUnixTimestamp64Milli(e.visit_started_at)';
  return `
SELECT e.site_id AS site_id, e.visitor AS visitor,
  countIf(e.type = 'pageview') AS pageviews,
  min(CAST((${at}, toString(e.bot_class)), '${FIRST}')) AS first,
  max(CAST((${lastAt}, e.visit_id, ${startedAt}), '${LAST}')) AS last
FROM ${from} AS e
WHERE ${MAKES_VISITOR} AND ${where}
GROUP BY site_id, visitor`;
}

/** Visitors, as a materialized view makes them of `events`. */
export const VISITORS: View = {
  table: 'visitors',
  create: TABLE,
  keys: ['site_id', 'visitor'],
  sums: ['pageviews'],
  columns: ['site_id', 'visitor', 'pageviews', 'first', 'last'],
  makesOf: MAKES_VISITOR,
  select,
};
