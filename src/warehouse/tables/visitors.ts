import { DURABLE } from './table-settings.ts';
import type { Rollup } from './views.ts';
import { IS_REPORTED } from './visits.ts';

const FIRST = 'Tuple(at Int64, bot_class String)';
const LAST = 'Tuple(at Int64, visit_id UUID, visit_started_at Int64)';

/**
 * The table of visitors, for lookups when a goal arrives. One row per visitor and insert until rows merge.
 *
 * - Units: instants in milliseconds since 1970.
 * - Shape: `visitor` is a 64-bit hash of the id. `first` belongs to the first pageview, or to the first event
 *   without one. `last` belongs to the last event that extends a visit.
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

/** Added to the time of other events, so that every pageview sorts before them. */
const NO_PAGEVIEW_MS = 4_000_000_000_000;

/** SQL for the time a visitor was first seen, in milliseconds. */
export const FIRST_AT_MS = `(first.at % ${NO_PAGEVIEW_MS})`;

/** SQL condition for an event `e` to create a row. A goal reported by a backend does not. */
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

/** The materialized view that fills `visitors` from `events`. */
export const VISITORS_VIEW: Rollup = {
  table: 'visitors',
  create: TABLE,
  keys: ['site_id', 'visitor'],
  sums: ['pageviews'],
  columns: ['site_id', 'visitor', 'pageviews', 'first', 'last'],
  makesOf: MAKES_VISITOR,
  select,
};
