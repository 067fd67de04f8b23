import { EVENT_COLUMNS } from '#contract/event-lines.ts';
import { joined, MARK, valueAt } from './sorted-texts.ts';
import { DURABLE, INSTANT } from './table-settings.ts';

/** SQL of what counts as something a visitor did; the tracker's own reports do not. */
export const DEEDS = "type IN ('pageview', 'goal', 'outbound', 'download')";

/** How an event's visitor came: values that are kept as one text. Any of the first four is a source. */
export const ORIGIN_COLUMNS = [
  'source',
  'medium',
  'campaign',
  'click_id',
  'term',
  'content',
  'channel',
] as const;
/** SQL of whether an event `e` says where its visitor came from. */
export const HAS_SOURCE = `NOT startsWith(e.origin, repeat(${MARK}, 4))`;

/** Where an event's visitor is and what they browse with: values that are kept as one text. */
export const SETTING_COLUMNS = [
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
] as const;

/** Columns of lines that are kept in another form. */
const SENT: ReadonlySet<string> = new Set([
  ...['event_id', 'accepted_at'],
  ...ORIGIN_COLUMNS,
  ...SETTING_COLUMNS,
]);
const sent = (name: string) => `sent_${name}`;

/** By which names the values of a line are inserted into `events`, in its order. */
export const INSERTED_COLUMNS: readonly string[] = EVENT_COLUMNS.map((column) =>
  SENT.has(column) ? sent(column) : column,
);

/** What is told as it happens is accepted in the same millisecond: nothing is kept of that. */
const NOT_LATE = "toDateTime64(0, 3, 'UTC')";

/**
 * SQL of an event's id in two halves, and of the id. One of version 7 begins with the instant of its event,
 * by some clock: the first half is kept as what it differs by, the random one is not compressed in vain.
 */
const INSTANT_OF_ID = 'bitShiftLeft(toUInt64(toUnixTimestamp64Milli(occurred_at)), 16)';
const ID_HEAD = `reinterpretAsUInt64(${sent('event_id')}) - ${INSTANT_OF_ID}`;
const ID_TAIL = `toUInt64(bitShiftRight(reinterpretAsUInt128(${sent('event_id')}), 64))`;
const EVENT_ID = `reinterpret(bitOr(
    bitShiftLeft(toUInt128(id_tail), 64), toUInt128(toUInt64(id_head + ${INSTANT_OF_ID}))), 'UUID')`;

/** SQL of columns that lines give, kept as one text, and read out of it by their names. */
function packed(text: string, names: readonly string[]): string {
  const isNumber = (name: string) => name === 'screen_width';
  const typeOf = (name: string) => (isNumber(name) ? 'UInt16' : 'String');
  const toValue = (name: string) => (isNumber(name) ? `toString(${sent(name)})` : sent(name));
  const readAt = (name: string, place: number) =>
    isNumber(name) ? `toUInt16OrZero(${valueAt(text, place)})` : valueAt(text, place);
  return [
    ...names.map((name) => `${sent(name)} ${typeOf(name)} EPHEMERAL`),
    `${text} LowCardinality(String) DEFAULT ${joined(...names.map(toValue))}`,
    ...names.map((name, index) => `${name} ${typeOf(name)} ALIAS ${readAt(name, index + 1)}`),
  ].join(',\n  ');
}

/**
 * The table of events. Lines (event-lines.ts) are inserted by the names that {@link INSERTED_COLUMNS} says.
 *
 * Why texts of values: what a visitor's events all have, or most have not, is written and merged as one
 * column with one dictionary; visits take the texts as they are, and questions break down by visits.
 * Why in the order of types: questions about goals read goals, a tenth of all events or less.
 * Why larger merges than the engine's usual: each event is written anew less often.
 * Why ZSTD: a quarter less on disk than LZ4 for the many texts that repeat, at no measured cost. Why LZ4 for
 * three: nearly every question reads these of all events of its period, and takes a third less time.
 */
export const EVENTS = `
CREATE TABLE IF NOT EXISTS events (
  site_id LowCardinality(String),
  occurred_at ${INSTANT} CODEC(T64, LZ4),
  sent_accepted_at ${INSTANT} EPHEMERAL,
  late_accepted_at ${INSTANT} DEFAULT if(sent_accepted_at = occurred_at, ${NOT_LATE}, sent_accepted_at) CODEC(ZSTD),
  accepted_at ${INSTANT} ALIAS if(late_accepted_at = ${NOT_LATE}, occurred_at, late_accepted_at),
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
  hostname LowCardinality(String),
  path LowCardinality(String) CODEC(LZ4),
  title String,
  referrer String,
  target String,
  ${packed('origin', ORIGIN_COLUMNS)},
  click_id_value String CODEC(ZSTD),
  props Map(LowCardinality(String), String) CODEC(ZSTD),
  bot_class LowCardinality(String),
  bot_reason String,
  ${packed('setting', SETTING_COLUMNS)},
  timezone LowCardinality(String),
  engagement_ms UInt32,
  scroll_depth UInt8,
  user_id String CODEC(ZSTD),
  batch_id UInt64 CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (site_id, toDate(occurred_at), type, visitor_id, occurred_at)
SETTINGS ${DURABLE}, merge_selector_base = 12, default_compression_codec = 'ZSTD(3)'`;
