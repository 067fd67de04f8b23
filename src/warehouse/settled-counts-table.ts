import { FSYNCED } from './table-settings.ts';

/** The unit of time in which visitors are counted: whole in the clocks of every zone. */
export const QUARTER_MS = 900_000;
/** Of a day in UTC. */
export const QUARTERS_A_DAY = 96;

/** A run's lowest bits are the day whose rows it wrote, counted from 1970. */
export const DAY_OF_RUN = 2 ** 16;

/** A value by which different visitors of days that are over are counted ahead. */
export type CountedValue = {
  /** The dimension of questions that it is. */
  readonly name: string;
  /** SQL of it over a row of `settled_visits`, or of `events`; what a dimension says is counted only if it says the same. */
  readonly sql: string;
  readonly of: 'visits' | 'events';
  /** SQL of which rows have it; all do when left out. */
  readonly only?: string;
};

const named = (column: string, whenEmpty: string) => `transform(${column}, [''], ['${whenEmpty}'])`;

/** Whoever came, by nothing. */
export const EVERYBODY = { name: '', sql: "''", of: 'visits' } as const satisfies CountedValue;

/** Everything that visitors are counted by: what a dashboard shows first. */
export const COUNTED_VALUES: readonly CountedValue[] = [
  EVERYBODY,
  { name: 'visit:channel', sql: named('channel', 'Direct'), of: 'visits' },
  { name: 'visit:source', sql: named('source', 'Direct'), of: 'visits' },
  { name: 'visit:campaign', sql: named('campaign', '(none)'), of: 'visits' },
  { name: 'visit:entry_page', sql: named('entry_page', '(none)'), of: 'visits' },
  { name: 'visit:country', sql: named('country', '(none)'), of: 'visits' },
  { name: 'visit:browser', sql: named('browser', '(none)'), of: 'visits' },
  { name: 'visit:os', sql: named('os', '(none)'), of: 'visits' },
  { name: 'visit:device', sql: named('device', '(none)'), of: 'visits' },
  { name: 'event:page', sql: named('path', '(none)'), of: 'events', only: "path != ''" },
];

/** Columns of visits that these are made of. */
export const COUNTED_COLUMNS = [
  ...['channel', 'source', 'campaign', 'entry_page', 'country', 'browser', 'os', 'device'],
] as const;

/** What is added up over visits or events of days that are over: a number of a question's whole. */
export type CountedSum = {
  readonly name: string;
  /** SQL of it, as the parts of metrics have it. */
  readonly sql: string;
  readonly of: CountedValue['of'];
  readonly only?: undefined;
};

/** Everything that is added up ahead: what stands over a dashboard, and its own parts. */
export const COUNTED_SUMS: readonly CountedSum[] = [
  { name: 'visits', sql: 'count()', of: 'visits' },
  { name: 'bounces', sql: 'countIf(pageviews = 1 AND goals = 0)', of: 'visits' },
  { name: 'duration_ms', sql: 'sum(duration_ms)', of: 'visits' },
  { name: 'views', sql: 'sum(pageviews)', of: 'visits' },
  { name: 'pageviews', sql: "countIf(type = 'pageview')", of: 'events' },
];

/**
 * The table of counts of days that are settled, by the quarter of an hour.
 *
 * - Shape: for a dimension's value, how many visitors were there (`amount`) who had been there last with that value in
 *   the quarter `back` (0: never before); for one of {@link COUNTED_SUMS}, its amount.
 * - Units: `quarter` and `back` count quarters of an hour since 1970, UTC.
 * - Shape: `run` says who wrote a day's rows; they count once `settled_days` names it. Its lowest 16 bits
 *   are the day, counted from 1970. Rows of one run that differ in nothing but their amount are added up.
 * - Why `back`: different visitors of a period are those who had not been there in it before. So they
 *   are a sum, of any quarters up to any other (docs/decisions/0022-visitors-are-counted-ahead.md).
 * - Why days of `back` in front: of a long history a question reads those before its period's start alone.
 */
export const SETTLED_COUNTS = `
CREATE TABLE IF NOT EXISTS settled_counts (
  site_id LowCardinality(String),
  counted LowCardinality(String),
  quarter UInt32 CODEC(T64, ZSTD),
  value LowCardinality(String),
  back UInt32 CODEC(T64, ZSTD),
  amount UInt64 CODEC(T64, ZSTD),
  run UInt64 CODEC(ZSTD)
) ENGINE = SummingMergeTree(amount)
PARTITION BY toYYYYMM(toDateTime(quarter * 900, 'UTC'))
ORDER BY (site_id, counted, intDiv(back, ${QUARTERS_A_DAY}), quarter, value, back, run)
SETTINGS ${FSYNCED}, default_compression_codec = 'ZSTD(1)'`;

/**
 * The table of days that were counted: `run` wrote all of a day's rows, and `basis` is what was known of
 * the day before it began (visit-days.ts).
 */
export const SETTLED_DAYS = `
CREATE TABLE IF NOT EXISTS settled_days (
  site_id LowCardinality(String),
  day UInt16,
  run UInt64,
  basis UInt64
) ENGINE = MergeTree
ORDER BY (site_id, day, run)
SETTINGS ${FSYNCED}`;

/**
 * The table of who was there on a day that was counted, and with which values of events: a row for each visitor,
 * day and dimension. Rows count as those of `settled_counts` with the same `run` do.
 *
 * Why: whoever came after the last counted day is looked for here, among a quarter as many rows as there are events.
 */
export const SETTLED_SEEN = `
CREATE TABLE IF NOT EXISTS settled_seen (
  site_id LowCardinality(String),
  counted LowCardinality(String),
  run UInt64 CODEC(ZSTD),
  visitor UInt64 CODEC(LZ4),
  seen Array(LowCardinality(String)) CODEC(LZ4)
) ENGINE = MergeTree
PARTITION BY toYYYYMM(toDate(run % ${DAY_OF_RUN}))
ORDER BY (site_id, counted, run, visitor)
SETTINGS ${FSYNCED}`;
