import { HAS_SOURCE } from './events.ts';
import { DURABLE, INSTANT, NO_VISIT } from './table-settings.ts';
import type { View } from './views.ts';

/** What a visit takes from its first event that has a source. */
const TOUCH = [
  ...['channel', 'source', 'medium', 'campaign', 'term', 'content', 'click_id', 'referrer'],
] as const;
/** What it takes from its first pageview; without one, from its first event. */
const ENTRY = [
  ...['entry_page', 'hostname', 'country', 'region', 'city', 'browser', 'browser_version'],
  ...['os', 'os_version', 'device', 'language', 'screen_width', 'bot_class', 'bot_reason'],
] as const;

/** The engine's type of a tuple that an instant leads, which decides which of several is taken. */
function tupleOf(columns: readonly string[]): string {
  return `Tuple(${['at Int64', ...columns.map((column) => `${column} String`)].join(', ')})`;
}

/** Columns that name the elements of a tuple; each is read alone. */
function namesOf(tuple: string, columns: readonly string[]): string {
  return columns.map((column) => `${column} String ALIAS ${tuple}.${column}`).join(',\n  ');
}

/**
 * The table of visits: one row a visit and insert until they merge, read with `FINAL`.
 *
 * - Units: `first_after_ms` and `last_after_ms` are when its first and last event were, counted from
 *   its start. `touched_at` is when it became a touch, in milliseconds since 1970: its first event
 *   counts if that is earlier than its start, which comes from the visitor's clock.
 * - Shape: the smallest tuple is taken, whatever the order of arrival; the names of its elements are
 *   columns of their own (`source` is `touch.source`).
 * - Why the day leads the key: `FINAL` merges parts that overlap, and only today's do.
 * - Source: docs/decisions, "the warehouse is six plain tables".
 */
const TABLE = `
CREATE TABLE IF NOT EXISTS visits (
  site_id LowCardinality(String),
  visit_started_at ${INSTANT} CODEC(T64, LZ4),
  visit_id UUID,
  visitor SimpleAggregateFunction(any, UInt64) CODEC(LZ4),
  visitor_id SimpleAggregateFunction(any, String) CODEC(ZSTD(3)),
  first_after_ms SimpleAggregateFunction(min, Int64) CODEC(T64, ZSTD),
  last_after_ms SimpleAggregateFunction(max, Int64) CODEC(T64, ZSTD),
  events SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  pageviews SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  goals SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  engagement_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  touch SimpleAggregateFunction(min, ${tupleOf(TOUCH)}) CODEC(ZSTD(3)),
  entry SimpleAggregateFunction(min, ${tupleOf(ENTRY)}) CODEC(ZSTD(3)),
  exit SimpleAggregateFunction(max, ${tupleOf(['page'])}) CODEC(ZSTD(3)),
  ${namesOf('touch', TOUCH)},
  ${namesOf('entry', ENTRY)},
  exit_page String ALIAS exit.page,
  first_event_at ${INSTANT} ALIAS fromUnixTimestamp64Milli(toUnixTimestamp64Milli(visit_started_at) + first_after_ms, 'UTC'),
  last_event_at ${INSTANT} ALIAS fromUnixTimestamp64Milli(toUnixTimestamp64Milli(visit_started_at) + last_after_ms, 'UTC'),
  touched_at Int64 ALIAS toUnixTimestamp64Milli(visit_started_at) + least(first_after_ms, 0),
  duration_ms Int64 ALIAS greatest(last_after_ms - first_after_ms, 0)
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(visit_started_at)
ORDER BY (toDate(visit_started_at), site_id, visit_started_at, visit_id)
SETTINGS ${DURABLE}`;

const IS_PAGEVIEW = "e.type = 'pageview'";
/** A backend's goal: its visitor has a pageview already, and a visit takes its count alone. */
export const IS_REPORTED = "e.extends_visit = 0 AND e.type = 'goal'";
const AFTER_MS =
  '(toUnixTimestamp64Milli(e.occurred_at) - toUnixTimestamp64Milli(e.visit_started_at))';
/** Later than any event: what is of the second or third rank is taken when nothing of the first is there. */
const RANK_MS = 4_000_000_000_000;

/** SQL of an event's tuple, which is the smallest among those of its visit if the event comes first. */
function firstSql(
  isFirstRank: string,
  columns: readonly string[],
  toValue: (column: string) => string,
) {
  const values = columns.map((column) => `if(${IS_REPORTED}, '', toString(${toValue(column)}))`);
  const at = `multiIf(${IS_REPORTED}, ${2 * RANK_MS}, ${isFirstRank}, ${AFTER_MS}, ${AFTER_MS} + ${RANK_MS})`;
  return `min(CAST((${[at, ...values].join(', ')}), '${tupleOf(columns)}'))`;
}

/** The events that make visits, as visits. */
function select({ from, where }: { readonly from: string; readonly where: string }): string {
  const entryValue = (column: string) =>
    column === 'entry_page' ? `if(${IS_PAGEVIEW}, e.path, '')` : `e.${column}`;
  return `
SELECT e.site_id AS site_id, e.visit_started_at AS visit_started_at, e.visit_id AS visit_id,
  any(e.visitor) AS visitor, any(e.visitor_id) AS visitor_id,
  min(${AFTER_MS}) AS first_after_ms,
  max(if(e.extends_visit = 1, ${AFTER_MS}, -toUnixTimestamp64Milli(e.visit_started_at))) AS last_after_ms,
  count() AS events,
  countIf(${IS_PAGEVIEW}) AS pageviews,
  countIf(e.type = 'goal') AS goals,
  sum(toUInt64(e.engagement_ms)) AS engagement_ms,
  ${firstSql(HAS_SOURCE, TOUCH, (column) => `e.${column}`)} AS touch,
  ${firstSql(IS_PAGEVIEW, ENTRY, entryValue)} AS entry,
  max(CAST(if(${IS_PAGEVIEW}, (${AFTER_MS}, toString(e.path)), (${-RANK_MS}, '')), '${tupleOf(['page'])}')) AS exit
FROM ${from} AS e
WHERE e.visit_id != ${NO_VISIT} AND ${where}
GROUP BY site_id, visit_started_at, visit_id`;
}

/** Visits, as a materialized view makes them of `events`. */
export const VISITS: View = {
  table: 'visits',
  create: TABLE,
  keys: ['site_id', 'visit_started_at', 'visit_id'],
  sums: ['events', 'pageviews', 'goals', 'engagement_ms'],
  columns: [
    ...['site_id', 'visit_started_at', 'visit_id', 'visitor', 'visitor_id', 'first_after_ms'],
    ...['last_after_ms', 'events', 'pageviews', 'goals', 'engagement_ms', 'touch', 'entry', 'exit'],
  ],
  from: `e.visit_id != ${NO_VISIT}`,
  select,
};
