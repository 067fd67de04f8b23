import {
  FIRST_RANK,
  HALF_MS,
  MARK,
  NO_VISIT,
  OF_ENTRY,
  OF_TOUCH,
} from '#contract/rows/visit-row.ts';
import { HAS_SOURCE } from './events.ts';
import { DURABLE, INSTANT } from './table-settings.ts';
import type { Rollup } from './views.ts';

/** The most arrivals that a visit keeps. */
const ARRIVALS_MAX = 100;
/** The column of a visit's arrivals. */
export const ARRIVALS = `arrivals SimpleAggregateFunction(groupUniqArrayArray(${ARRIVALS_MAX}), Array(String)) CODEC(ZSTD(3))`;

/** Values that hardly repeat with their instants: a visit may end at any time. */
const VARIED: ReadonlySet<string> = new Set(['referrer', 'exit_page']);

/** Columns with dated values of the first or last event. */
function datedColumns(which: 'first' | 'last', columns: readonly string[]): string {
  const choose = which === 'first' ? 'min' : 'max';
  return columns
    .map((column) => {
      const type = VARIED.has(column) ? 'String' : 'LowCardinality(String)';
      return `${which}_${column} SimpleAggregateFunction(${choose}, ${type}) CODEC(ZSTD(3))`;
    })
    .join(',\n  ');
}

/**
 * The table of visits: one row per visit and insert until rows merge. Read with `FINAL`.
 *
 * - Units: `first_after_ms` and `last_after_ms` are the times of the first and last event, relative to the visit's
 *   start.
 * - Shape: a value from one of the visit's events is stored after the instant of that event; contract/rows/visit-row.ts
 *   reads it. The earliest event wins, in any order of arrival.
 * - Why one column per value instead of a tuple: reading an element as a subcolumn may return it from any unmerged
 *   row. Why a string: its minimum is computed several times faster than a tuple's.
 * - Why `LowCardinality`, although a value has an instant before it: most visits begin with their first event, within
 *   a few milliseconds. Queries then read and compare each value once, in a third to two thirds of the time.
 * - Why the day comes first in the key: `FINAL` merges overlapping parts, and only today's parts overlap.
 * - `arrivals` has the events that a campaign tag or click id brought after the visit had begun, each as its instant and
 *   values: every touch but the visit's own is among them. Why not also those that begin it: the array is then empty for
 *   nearly all visits. Filled for each of them, it made credit by paths up to three times slower.
 * - Source: docs/decisions/0009-the-warehouse-is-six-plain-tables.md.
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
  ${datedColumns('first', [...OF_TOUCH, ...OF_ENTRY])},
  ${datedColumns('last', ['exit_page'])},
  ${ARRIVALS}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(visit_started_at)
ORDER BY (toDate(visit_started_at), site_id, visit_started_at, visit_id)
SETTINGS ${DURABLE}`;

const IS_PAGEVIEW = "e.type = 'pageview'";
/** SQL condition for a goal reported by a backend. Its visitor already has a pageview, and it adds only to counts. */
export const IS_REPORTED = "e.extends_visit = 0 AND e.type = 'goal'";
const AFTER_MS =
  '(toUnixTimestamp64Milli(e.occurred_at) - toUnixTimestamp64Milli(e.visit_started_at))';
/** Events of a later rank sort after all events of an earlier rank. */
const [SECOND_RANK, LAST_RANK] = [2 * FIRST_RANK, 3 * FIRST_RANK];
/** SQL for the time from a visit's beginning to an event, by the one clock that made both ids. */
const ID_AFTER_MS = `(toInt64(bitShiftRight(e.id_head + bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.occurred_at)), 16), 16))
    - toInt64(bitShiftRight(reinterpretAsUInt64(e.visit_id), 16)))`;
/**
 * SQL condition for an event that a campaign tag or click id brought: only those name a medium or campaign, or a source
 * without a referrer.
 */
const IS_ARRIVAL = `NOT (${IS_REPORTED}) AND (e.medium != '' OR e.campaign != '' OR e.click_id != ''
    OR (e.source != '' AND e.referrer = '')) AND NOT (${ID_AFTER_MS} BETWEEN 0 AND 999)`;

/** SQL for an event's time as eight hexadecimal digits, which sort like the time. */
function dateSql(rank: string | number): string {
  return `hex(toUInt32(${rank} + least(greatest(${AFTER_MS} + ${HALF_MS}, 0), ${2 * HALF_MS - 1})))`;
}

/** SQL for the date and values of an event, of the first or second rank. */
function textSql(isFirstRank: string, columns: readonly string[]): string {
  const date = dateSql(`if(${isFirstRank}, ${FIRST_RANK}, ${SECOND_RANK})`);
  return `concatWithSeparator(${[MARK, date, ...columns.map(toValue)].join(', ')})`;
}

/**
 * SQL for the date and values of a visit's first event: the earliest of the first rank, else of the second.
 *
 * Why one string: its minimum takes half the time of every other way. A reported goal has no values.
 */
function firstSql(text: string): string {
  return `splitByChar(${MARK}, min(if(${IS_REPORTED}, hex(toUInt32(${LAST_RANK})), ${text})))`;
}

function toValue(column: string): string {
  if (column === 'entry_page') return `if(${IS_PAGEVIEW}, e.path, '')`;
  return column === 'screen_width' ? 'toString(e.screen_width)' : `e.${column}`;
}

/** SQL for the dated values of such an event. */
function datedSql(event: string, columns: readonly string[]): string[] {
  return columns.map(
    (column, index) => `concat(${event}[1], ${event}[${index + 2}]) AS first_${column}`,
  );
}

/** SQL that aggregates events into visits. */
function select({ from, where }: { readonly from: string; readonly where: string }): string {
  return `
WITH ${textSql(HAS_SOURCE, OF_TOUCH)} AS touch_text, ${firstSql('touch_text')} AS touch,
  ${firstSql(textSql(IS_PAGEVIEW, OF_ENTRY))} AS entry
SELECT e.site_id AS site_id, e.visit_started_at AS visit_started_at, e.visit_id AS visit_id,
  any(e.visitor) AS visitor, any(e.visitor_id) AS visitor_id,
  min(${AFTER_MS}) AS first_after_ms,
  max(if(e.extends_visit = 1, ${AFTER_MS}, -toUnixTimestamp64Milli(e.visit_started_at))) AS last_after_ms,
  count() AS events,
  countIf(${IS_PAGEVIEW}) AS pageviews,
  countIf(e.type = 'goal') AS goals,
  sum(toUInt64(e.engagement_ms)) AS engagement_ms,
  ${[...datedSql('touch', OF_TOUCH), ...datedSql('entry', OF_ENTRY)].join(',\n  ')},
  max(if(${IS_PAGEVIEW}, concat(${dateSql(FIRST_RANK)}, e.path), '')) AS last_exit_page,
  groupUniqArrayIf(${ARRIVALS_MAX})(touch_text, ${IS_ARRIVAL}) AS arrivals
FROM ${from} AS e
WHERE e.visit_id != ${NO_VISIT} AND ${where}
GROUP BY site_id, visit_started_at, visit_id`;
}

/** The materialized view that fills `visits` from `events`. */
export const VISITS_VIEW: Rollup = {
  table: 'visits',
  create: TABLE,
  keys: ['site_id', 'visit_started_at', 'visit_id'],
  sums: ['events', 'pageviews', 'goals', 'engagement_ms'],
  columns: [
    ...['site_id', 'visit_started_at', 'visit_id', 'visitor', 'visitor_id', 'first_after_ms'],
    ...['last_after_ms', 'events', 'pageviews', 'goals', 'engagement_ms'],
    ...[...OF_TOUCH, ...OF_ENTRY].map((column) => `first_${column}`),
    ...['last_exit_page', 'arrivals'],
  ],
  makesOf: `e.visit_id != ${NO_VISIT}`,
  select,
};
