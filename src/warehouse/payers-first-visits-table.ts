import { SETTLED_COLUMNS } from './settled-visits-table.ts';
import { FSYNCED, INSTANT } from './table-settings.ts';

/** Columns of `payers_first_visits` that are those of the visit in `settled_visits`, by the same names. */
export const FIRST_VISIT_COLUMNS: readonly string[] = [
  ...['visitor', 'visit_started_at', 'visit_id', 'touched_at'],
  ...SETTLED_COLUMNS.slice(SETTLED_COLUMNS.indexOf('engagement_ms') + 1),
];

/**
 * The table of the first visit of each person who ever paid, of the visits of days that are over.
 *
 * - `person` is 64 bits of the person's id (docs/decisions/0007-persons.md), `visitor` who of them it was.
 * - `pages` and `goal_names` are what events of the visit have, each once.
 * - Shape: all rows of a run are of one site. They count once `payers_runs` names the run.
 */
export const PAYERS_FIRST_VISITS = `
CREATE TABLE IF NOT EXISTS payers_first_visits (
  run UInt64 CODEC(ZSTD),
  site_id LowCardinality(String),
  person UInt64 CODEC(NONE),
  visitor UInt64 CODEC(NONE),
  visit_started_at ${INSTANT} CODEC(T64, ZSTD),
  visit_id UUID CODEC(NONE),
  touched_at Int64 CODEC(T64),
  ${FIRST_VISIT_COLUMNS.slice(4)
    .map((name) => `${name} LowCardinality(String)`)
    .join(',\n  ')},
  pages Array(LowCardinality(String)),
  goal_names Array(LowCardinality(String))
) ENGINE = MergeTree
PARTITION BY run
ORDER BY (site_id, person)
SETTINGS ${FSYNCED}, default_compression_codec = 'ZSTD(1)'`;

/**
 * The table that names the run of a site which counts, and what it was made of; the newest counts.
 *
 * - `days` are all days (counted from 1970, UTC) before `ends_at` that had visits, and `marks` what
 *   their visits were then (docs/decisions/0023-first-visits-of-payers-are-kept.md).
 * - `payments_version` and `persons_version` are the highest that were there.
 * - `first_visits` is how many rows the run has.
 */
export const PAYERS_RUNS = `
CREATE TABLE IF NOT EXISTS payers_runs (
  site_id LowCardinality(String),
  run UInt64,
  made_at UInt64,
  ends_at Int64,
  days Array(UInt16) CODEC(Delta, ZSTD),
  marks Array(UInt64),
  payments_version UInt64,
  persons_version UInt64,
  first_visits UInt64
) ENGINE = ReplacingMergeTree(made_at)
ORDER BY site_id
SETTINGS ${FSYNCED}`;
