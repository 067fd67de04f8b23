import { FSYNCED, INSTANT, PAYMENTS, PERSONS, RATES } from './ledger-tables.ts';

/**
 * The warehouse's tables. Written once for every engine: `MergeTree` on one machine.
 *
 * - `events` holds what happened, one row an event.
 * - `visits` and `visitors` are made from it by materialized views and are read with `FINAL`.
 * - `payments`, `persons` and `rates` stand in ledger-tables.ts.
 */
const DURABLE = `non_replicated_deduplication_window = 10000, ${FSYNCED}`;

const NO_VISIT = "toUUID('00000000-0000-0000-0000-000000000000')";

/**
 * Why most columns are plain texts: empty ones cost next to nothing then, while a dictionary for
 * each made merges twice as dear; questions break down by them from `visits`.
 * Why larger merges than the engine's usual: each event is written anew less often.
 */
const EVENTS = `
CREATE TABLE IF NOT EXISTS events (
  site_id LowCardinality(String),
  occurred_at ${INSTANT} CODEC(Delta, ZSTD),
  accepted_at ${INSTANT} CODEC(Delta, ZSTD),
  event_id UUID,
  type LowCardinality(String),
  visitor_id String CODEC(ZSTD),
  visit_id UUID CODEC(ZSTD),
  visit_started_at ${INSTANT} CODEC(Delta, ZSTD),
  extends_visit UInt8 DEFAULT 1,
  name LowCardinality(String),
  hostname LowCardinality(String),
  path String CODEC(ZSTD),
  title String CODEC(ZSTD),
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
  batch_id UInt64 CODEC(ZSTD)
) ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (site_id, toDate(occurred_at), visitor_id, occurred_at)
SETTINGS ${DURABLE}, merge_selector_base = 12`;

/** What a visit takes from its first event that has a source. */
const TOUCH_COLUMNS = [
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'click_id',
  'channel',
  'referrer',
] as const;
/** What it takes from its first pageview; without one, from its first event. */
const FIRST_COLUMNS = [
  'hostname',
  'country',
  'region',
  'city',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'language',
  'screen_width',
  'bot_class',
  'bot_reason',
] as const;

/** Stands in no value: the write path takes control characters out of what visits are told by. */
const MARK = String.raw`'\x1F'`;
/** SQL of columns that read a value out of a text of values; an instant stands in front of them. */
const valuesIn = (text: string, names: readonly string[]) =>
  names.map(
    (name, index) =>
      `${name} String ALIAS splitByChar(${MARK}, ${text}, ${index + 2})[${index + 2}]`,
  );

const VISITS = `
CREATE TABLE IF NOT EXISTS visits (
  site_id LowCardinality(String),
  visit_started_at ${INSTANT},
  visit_id UUID,
  visitor_id SimpleAggregateFunction(any, String),
  first_event_at SimpleAggregateFunction(min, ${INSTANT}),
  last_event_at SimpleAggregateFunction(max, ${INSTANT}),
  events SimpleAggregateFunction(sum, UInt64),
  pageviews SimpleAggregateFunction(sum, UInt64),
  goals SimpleAggregateFunction(sum, UInt64),
  engagement_ms SimpleAggregateFunction(sum, UInt64),
  touch SimpleAggregateFunction(min, String) CODEC(ZSTD),
  first_page SimpleAggregateFunction(min, String) CODEC(ZSTD),
  last_page SimpleAggregateFunction(max, String) CODEC(ZSTD),
  ${valuesIn('touch', TOUCH_COLUMNS).join(',\n  ')},
  ${valuesIn('first_page', ['entry_page', ...FIRST_COLUMNS]).join(',\n  ')},
  ${valuesIn('last_page', ['exit_page']).join(',\n  ')}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(visit_started_at)
ORDER BY (site_id, visit_started_at, visit_id)
SETTINGS ${DURABLE}`;

/** SQL of an instant as text that sorts like it; events of the second rank sort after all others. */
const rankedAt = (isFirstRank: string) =>
  `toString(toUnixTimestamp64Milli(e.occurred_at) + if(${isFirstRank}, 0, 4000000000000))`;
const HAS_SOURCE = "e.source != '' OR e.medium != '' OR e.campaign != '' OR e.click_id != ''";
const IS_PAGEVIEW = "e.type = 'pageview'";
/** A backend's goal: its visitor has a pageview already, and a visit takes its count alone. */
const IS_REPORTED = "e.extends_visit = 0 AND e.type = 'goal'";
/** The text, or for a backend's goal one that sorts after all that begin with an instant. */
const unlessReported = (text: string) => `if(${IS_REPORTED}, '~', ${text})`;
const joined = (...values: readonly string[]) =>
  `concatWithSeparator(${MARK}, ${values.join(', ')})`;
const columnsOfEvent = (names: readonly string[]) => names.map((name) => `e.${name}`);

/**
 * How visits are made from events; a rebuild runs the same.
 *
 * Why the smallest text, with the instant in front: a visit takes its source from its first event
 * that has any (docs/glossary.md), whatever the order of arrival; one text costs half of a state
 * for each value, and two events of one millisecond always come out the same.
 */
export const VISITS_SELECT = `
SELECT e.site_id AS site_id, e.visit_started_at AS visit_started_at, e.visit_id AS visit_id,
  any(e.visitor_id) AS visitor_id,
  min(e.occurred_at) AS first_event_at,
  max(if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_event_at,
  count() AS events,
  countIf(${IS_PAGEVIEW}) AS pageviews,
  countIf(e.type = 'goal') AS goals,
  sum(toUInt64(e.engagement_ms)) AS engagement_ms,
  min(${unlessReported(joined(rankedAt(HAS_SOURCE), ...columnsOfEvent(TOUCH_COLUMNS)))}) AS touch,
  min(${unlessReported(joined(rankedAt(IS_PAGEVIEW), `if(${IS_PAGEVIEW}, e.path, '')`, ...columnsOfEvent(FIRST_COLUMNS).map((column) => `toString(${column})`)))}) AS first_page,
  max(if(${IS_PAGEVIEW}, ${joined(rankedAt(IS_PAGEVIEW), 'e.path')}, '')) AS last_page
FROM events AS e
WHERE e.visit_id != ${NO_VISIT}
GROUP BY site_id, visit_started_at, visit_id`;

/** Small granules: visitors are looked up one by one when a goal of theirs comes. */
const VISITORS = `
CREATE TABLE IF NOT EXISTS visitors (
  site_id LowCardinality(String),
  visitor_id String,
  first_pageview_at SimpleAggregateFunction(min, ${INSTANT}),
  last_event_at SimpleAggregateFunction(max, ${INSTANT}),
  pageviews SimpleAggregateFunction(sum, UInt64),
  first_sight SimpleAggregateFunction(min, String) CODEC(ZSTD),
  ${valuesIn('first_sight', ['bot_class']).join(',\n  ')},
  last_visit AggregateFunction(argMax, Tuple(UUID, ${INSTANT}), ${INSTANT})
) ENGINE = AggregatingMergeTree
ORDER BY (site_id, visitor_id)
SETTINGS ${DURABLE}, index_granularity = 512`;

/** How visitors are made from events; a rebuild runs the same. */
export const VISITORS_SELECT = `
SELECT e.site_id AS site_id, e.visitor_id AS visitor_id,
  min(if(e.type = 'pageview', e.occurred_at, toDateTime64('2299-01-01 00:00:00', 3, 'UTC'))) AS first_pageview_at,
  max(if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_event_at,
  countIf(e.type = 'pageview') AS pageviews,
  min(${joined(rankedAt(IS_PAGEVIEW), 'toString(e.bot_class)')}) AS first_sight,
  argMaxState((e.visit_id, e.visit_started_at), if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_visit
FROM events AS e
WHERE NOT (${IS_REPORTED})
GROUP BY site_id, visitor_id`;

/** Every statement that makes the warehouse, in order; each may run again. */
export const SCHEMA: readonly string[] = [
  EVENTS,
  VISITS,
  VISITORS,
  PAYMENTS,
  PERSONS,
  RATES,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS visits_from_events TO visits AS ${VISITS_SELECT}`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS visitors_from_events TO visitors AS ${VISITORS_SELECT}`,
];
