import { PAYMENTS, PERSONS, RATES } from './ledger-tables.ts';
import { SETTLED_VISITS } from './settled-visits-table.ts';
import { IS_PAGEVIEW, joined, rankedAt, valuesIn } from './sorted-texts.ts';
import { DURABLE, INSTANT } from './table-settings.ts';
import { IS_REPORTED, VISITS, VISITS_SELECT } from './visits-table.ts';

/**
 * The warehouse's tables. Written once for every engine: `MergeTree` on one machine.
 *
 * - `events` holds what happened, one row an event.
 * - `visits` and `visitors` are made from it by materialized views and are read with `FINAL`.
 * - `settled_visits` holds the same visits as `visits`, of days that are over, in plain columns
 *   (docs/decisions/0018-visits-settle.md).
 * - `payments`, `persons` and `rates` stand in ledger-tables.ts.
 */

/**
 * Why most columns are plain texts: empty ones cost next to nothing then, while a dictionary for
 * each made merges twice as dear; questions break down by them from `visits`.
 * Why larger merges than the engine's usual: each event is written anew less often.
 * Why ZSTD for all: a quarter less on disk than LZ4 for the many texts that repeat, at no measured cost.
 */
const EVENTS = `
CREATE TABLE IF NOT EXISTS events (
  site_id LowCardinality(String),
  occurred_at ${INSTANT} CODEC(Delta, ZSTD),
  accepted_at ${INSTANT} CODEC(ZSTD),
  event_id UUID,
  type LowCardinality(String),
  visitor_id String CODEC(ZSTD),
  visitor UInt64 MATERIALIZED cityHash64(visitor_id),
  visit_id UUID CODEC(ZSTD),
  visit_started_at ${INSTANT} CODEC(ZSTD),
  extends_visit UInt8 DEFAULT 1,
  name LowCardinality(String),
  hostname LowCardinality(String),
  path String,
  title String,
  referrer String CODEC(ZSTD),
  target String CODEC(ZSTD),
  source String,
  medium String,
  campaign String,
  term String,
  content String,
  click_id String,
  click_id_value String CODEC(ZSTD),
  channel String,
  props Map(LowCardinality(String), String) CODEC(ZSTD),
  bot_class String,
  bot_reason String,
  country String,
  region String,
  city String,
  browser String,
  browser_version String,
  os String,
  os_version String,
  device String,
  language String,
  timezone String,
  screen_width UInt16,
  engagement_ms UInt32,
  scroll_depth UInt8,
  user_id String CODEC(ZSTD),
  batch_id UInt64 CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (site_id, toDate(occurred_at), visitor_id, occurred_at)
SETTINGS ${DURABLE}, merge_selector_base = 12, default_compression_codec = 'ZSTD(3)'`;

/** Small granules: visitors are looked up one by one when a goal of theirs comes. */
const VISITORS = `
CREATE TABLE IF NOT EXISTS visitors (
  site_id LowCardinality(String),
  visitor_id String CODEC(ZSTD),
  last_event_at SimpleAggregateFunction(max, ${INSTANT}) CODEC(ZSTD),
  pageviews SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  first_sight SimpleAggregateFunction(min, String) CODEC(ZSTD),
  ${valuesIn('first_sight', ['bot_class']).join(',\n  ')},
  last_visit AggregateFunction(argMax, Tuple(UUID, ${INSTANT}), ${INSTANT}) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
ORDER BY (site_id, visitor_id)
SETTINGS ${DURABLE}, index_granularity = 512`;

/** How visitors are made from events; a rebuild runs the same. */
export const VISITORS_SELECT = `
SELECT e.site_id AS site_id, e.visitor_id AS visitor_id,
  max(if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_event_at,
  countIf(e.type = 'pageview') AS pageviews,
  min(${joined(rankedAt(IS_PAGEVIEW), 'toString(e.bot_class)')}) AS first_sight,
  argMaxState((e.visit_id, e.visit_started_at), if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_visit
FROM events AS e
WHERE NOT (${IS_REPORTED})
GROUP BY site_id, visitor_id`;

/**
 * The statement that makes each table and view, by its name, in order; each may run again.
 *
 * Why no ALTER, even with IF NOT EXISTS: the engine writes the table's definition anew each time,
 * and on a full disk leaves it empty, so that the table can never be read again.
 */
export const SCHEMA: Readonly<Record<string, string>> = {
  events: EVENTS,
  visits: VISITS,
  settled_visits: SETTLED_VISITS,
  visitors: VISITORS,
  payments: PAYMENTS,
  persons: PERSONS,
  rates: RATES,
  visits_from_events: `CREATE MATERIALIZED VIEW IF NOT EXISTS visits_from_events TO visits AS ${VISITS_SELECT}`,
  visitors_from_events: `CREATE MATERIALIZED VIEW IF NOT EXISTS visitors_from_events TO visitors AS ${VISITORS_SELECT}`,
};
