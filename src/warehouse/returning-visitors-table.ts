import { COUNTED_COLUMNS } from './settled-counts-table.ts';
import { FSYNCED, INSTANT } from './table-settings.ts';

/** What a row of `returning_visitors` tells of its visitor. */
export const PARTS_OF_RUN = { lookedFor: 'looked for', visit: 'visit', seen: 'seen' } as const;

/**
 * The table of where visitors of the open days had been before: copies of their rows of `settled_visits` and
 * `settled_seen`.
 *
 * - `part` says which: `visit` and `seen` are such copies (`counted_run` is the `run` of the latter), `looked for` names
 *   everybody whom the run looked for, whether they had been there or not.
 * - Shape: all rows of a run are of one site. They count once `returning_runs` names the run.
 * - Why: they are a few thousand, among millions that each question would look through
 *   (docs/decisions/0026-who-came-back-is-copied.md).
 */
export const RETURNING_VISITORS = `
CREATE TABLE IF NOT EXISTS returning_visitors (
  run UInt64 CODEC(ZSTD),
  site_id LowCardinality(String),
  part LowCardinality(String),
  visitor UInt64 CODEC(NONE),
  visit_started_at ${INSTANT} CODEC(T64, LZ4),
  ${COUNTED_COLUMNS.map((name) => `${name} LowCardinality(String)`).join(',\n  ')},
  counted LowCardinality(String),
  counted_run UInt64,
  seen Array(LowCardinality(String))
) ENGINE = MergeTree
PARTITION BY run
ORDER BY (site_id, part, visitor)
SETTINGS ${FSYNCED}`;

/**
 * The table that names the run of a site which counts, and what it was made of; the newest counts.
 *
 * - It has visits that began, and who was there, from `starts_at` up to `ends_at`, of whoever came since.
 *   Milliseconds since 1970, UTC; both are starts of
 *   days, or `starts_at` is 0 where there was none before.
 * - `counted_runs` are the runs (`settled_days`) that counted the days in between, each of them.
 * - `size` is how many rows the run has.
 */
export const RETURNING_RUNS = `
CREATE TABLE IF NOT EXISTS returning_runs (
  site_id LowCardinality(String),
  run UInt64,
  made_at UInt64,
  starts_at Int64,
  ends_at Int64,
  counted_runs Array(UInt64),
  size UInt64
) ENGINE = ReplacingMergeTree(made_at)
ORDER BY site_id
SETTINGS ${FSYNCED}`;
