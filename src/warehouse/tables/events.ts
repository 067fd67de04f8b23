import { EVENT_COLUMNS } from '#contract/rows/event-row.ts';
import { DURABLE, INSTANT } from './table-settings.ts';

/** SQL condition for an event `e` to have acquisition data. */
export const HAS_SOURCE =
  "(e.source != '' OR e.medium != '' OR e.campaign != '' OR e.click_id != '')";

/** Columns of a line that are stored in another form. */
const SENT: ReadonlySet<string> = new Set(['event_id', 'accepted_at']);

/** The target columns of a line's values, in order. */
export const INSERTED_COLUMNS: readonly string[] = EVENT_COLUMNS.map((column) =>
  SENT.has(column) ? `sent_${column}` : column,
);

/**
 * SQL for the event id, which is stored in two halves. A UUID version 7 begins with the event's instant, so the first
 * half is stored as its difference from `occurred_at`. That saves six bytes per event.
 */
const INSTANT_OF_ID = 'bitShiftLeft(toUInt64(toUnixTimestamp64Milli(occurred_at)), 16)';
const ID_HEAD = `reinterpretAsUInt64(sent_event_id) - ${INSTANT_OF_ID}`;
const ID_TAIL = 'toUInt64(bitShiftRight(reinterpretAsUInt128(sent_event_id), 64))';
const EVENT_ID = `reinterpret(bitOr(
    bitShiftLeft(toUInt128(id_tail), 64), toUInt128(toUInt64(id_head + ${INSTANT_OF_ID}))), 'UUID')`;

/**
 * The table of events, one row per event. Lines (contract/rows/event-lines.ts) are inserted into
 * {@link INSERTED_COLUMNS}.
 *
 * - Why the sorting key includes `type`: queries about goals then read only goals, at most a tenth of all events.
 * - Why a higher `merge_selector_base` than the default: larger merges rewrite each event less often.
 * - Why ZSTD: repetitive strings take a quarter less space than with LZ4, at no measured cost. Why LZ4 for three
 *   columns: nearly every query reads them for all events of its period, and takes a third less time.
 * - Why `LowCardinality`: it costs 0.2 to 0.3 bytes per event in a varied column, and almost nothing otherwise.
 * - Source: docs/decisions/0009-the-warehouse-is-six-plain-tables.md.
 */
export const EVENTS = `
CREATE TABLE IF NOT EXISTS events (
  site_id LowCardinality(String),
  occurred_at ${INSTANT} CODEC(T64, LZ4),
  sent_accepted_at ${INSTANT} EPHEMERAL,
  accept_delay_ms Int64 DEFAULT toUnixTimestamp64Milli(sent_accepted_at) - toUnixTimestamp64Milli(occurred_at) CODEC(T64, ZSTD),
  accepted_at ${INSTANT} ALIAS fromUnixTimestamp64Milli(toUnixTimestamp64Milli(occurred_at) + accept_delay_ms, 'UTC'),
  sent_event_id UUID EPHEMERAL,
  id_head UInt64 DEFAULT ${ID_HEAD} CODEC(T64, ZSTD),
  id_tail UInt64 DEFAULT ${ID_TAIL} CODEC(T64),
  event_id UUID ALIAS ${EVENT_ID},
  type LowCardinality(String),
  visitor_id String CODEC(ZSTD),
  visitor UInt64 MATERIALIZED cityHash64(visitor_id) CODEC(LZ4),
  visit_id UUID CODEC(ZSTD),
  visit_started_at ${INSTANT} CODEC(ZSTD),
  extends_visit UInt8 DEFAULT 1,
  name LowCardinality(String),
  props Map(LowCardinality(String), String) CODEC(ZSTD),
  hostname LowCardinality(String),
  path LowCardinality(String) CODEC(LZ4),
  title String,
  referrer String,
  target String,
  source LowCardinality(String),
  medium LowCardinality(String),
  campaign LowCardinality(String),
  term LowCardinality(String),
  content LowCardinality(String),
  channel LowCardinality(String),
  click_id LowCardinality(String),
  click_id_value String CODEC(ZSTD),
  country LowCardinality(String),
  region LowCardinality(String),
  city LowCardinality(String),
  browser LowCardinality(String),
  browser_version LowCardinality(String),
  os LowCardinality(String),
  os_version LowCardinality(String),
  device LowCardinality(String),
  language LowCardinality(String),
  timezone LowCardinality(String),
  screen_width UInt16,
  bot_class LowCardinality(String),
  bot_reason LowCardinality(String),
  engagement_ms UInt32,
  scroll_depth UInt8,
  user_id String CODEC(ZSTD),
  batch_id UInt64 CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (site_id, toDate(occurred_at), type, visitor_id, occurred_at)
SETTINGS ${DURABLE}, merge_selector_base = 12, default_compression_codec = 'ZSTD(3)'`;
