import { FSYNCED, INSTANT } from './table-settings.ts';
import { DAYS_PROJECTION, FIRST_COLUMNS, TIMES_OF_VISIT, TOUCH_COLUMNS } from './visits-table.ts';

/** Columns of `settled_visits` that hold a text, by the same names as in `visits`. */
const TEXTS = [...TOUCH_COLUMNS, ...FIRST_COLUMNS, 'exit_page'];

/** Columns of `settled_visits` that are read as they are from `visits FINAL`. */
export const SETTLED_COLUMNS: readonly string[] = [
  ...['site_id', 'visit_started_at', 'visit_id', 'visitor_id', 'visitor'],
  ...['first_after_ms', 'last_after_ms', 'events', 'pageviews', 'goals', 'engagement_ms'],
  ...TEXTS,
];

/**
 * The table of visits of days that are settled: one row a visit, each value in a column of its own.
 *
 * Why a second table: taking values out of texts, and dealing with strings, is what questions of many
 * visits spent their time on.
 */
export const SETTLED_VISITS = `
CREATE TABLE IF NOT EXISTS settled_visits (
  site_id LowCardinality(String),
  visit_started_at ${INSTANT} CODEC(T64, LZ4),
  visit_id UUID CODEC(NONE),
  visitor_id String CODEC(ZSTD(3)),
  visitor UInt64 CODEC(NONE),
  first_after_ms Int64 CODEC(T64),
  last_after_ms Int64 CODEC(T64),
  events UInt32 CODEC(T64),
  pageviews UInt32 CODEC(T64),
  goals UInt32 CODEC(T64),
  engagement_ms UInt64 CODEC(T64),
  ${TEXTS.map((name) => `${name} LowCardinality(String)`).join(',\n  ')},
  ${TIMES_OF_VISIT},
  PROJECTION ${DAYS_PROJECTION}
) ENGINE = MergeTree
PARTITION BY toYYYYMM(visit_started_at)
ORDER BY (site_id, visit_started_at, visit_id)
SETTINGS ${FSYNCED}, default_compression_codec = 'ZSTD(1)'`;
