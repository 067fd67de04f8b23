import { HAS_SOURCE, ORIGIN_COLUMNS, SETTING_COLUMNS } from './events-table.ts';
import { IS_PAGEVIEW, joined, MS_AFTER_START, rankedInVisit, valuesIn } from './sorted-texts.ts';
import { DURABLE, INSTANT, NO_VISIT } from './table-settings.ts';

/** What a visit takes from its first event that has a source. */
export const TOUCH_COLUMNS = [...ORIGIN_COLUMNS, 'referrer'] as const;
/**
 * What it takes from its first pageview; without one, from its first event.
 *
 * Why `bot_class` leads: nearly every question asks for it, and a value is the quicker to read the further in front it stands.
 */
export const FIRST_COLUMNS = [
  'bot_class',
  'entry_page',
  'hostname',
  ...SETTING_COLUMNS,
  'bot_reason',
] as const;

/** SQL of the day, in UTC, on which a visit began: the unit in which visits are settled. */
export const VISIT_DAY = 'toDate(visit_started_at)';

/**
 * SQL of a number that tells what a day's visits hold: it changes with every event that one gets, and is
 * the same however far the parts are merged.
 */
export const VISITS_DIGEST =
  'sum((toUInt64(events) + 3 * pageviews + 5 * goals + 7 * engagement_ms) * cityHash64(visit_id))';

/**
 * SQL of when the first event of a day's visits was, in milliseconds: before the day, where a visitor's
 * clock ran ahead of ours at midnight.
 */
export const EARLIEST_EVENT = 'min(toUnixTimestamp64Milli(visit_started_at) + first_after_ms)';

/** What these are of each day, kept with each part, so that nothing is read for it. */
export const DAYS_PROJECTION = `days (
    SELECT site_id, ${VISIT_DAY}, ${VISITS_DIGEST}, sum(events), ${EARLIEST_EVENT} GROUP BY site_id, ${VISIT_DAY})`;

/**
 * Columns that are worked out of others, in `visits` and `settled_visits` alike.
 *
 * - `touched_at` is when a visit became a touch. Its first event counts if that is earlier than its
 *   start: the start comes from the visitor's clock, which may run minutes ahead of ours.
 */
export const TIMES_OF_VISIT = [
  ...(['first', 'last'] as const).map(
    (which) => `${which}_event_at ${INSTANT} ALIAS
    fromUnixTimestamp64Milli(toUnixTimestamp64Milli(visit_started_at) + ${which}_after_ms, 'UTC')`,
  ),
  'touched_at Int64 ALIAS toUnixTimestamp64Milli(visit_started_at) + least(first_after_ms, 0)',
  'duration_ms Int64 ALIAS greatest(last_after_ms - first_after_ms, 0)',
].join(',\n  ');

/**
 * The table of visits, one row for each visit and insert until a merge, read with `FINAL`.
 *
 * - `first_after_ms` and `last_after_ms` are when its first and last event were, counted from its start.
 */
export const VISITS = `
CREATE TABLE IF NOT EXISTS visits (
  site_id LowCardinality(String),
  visit_started_at ${INSTANT} CODEC(T64, ZSTD),
  visit_id UUID,
  visitor_id SimpleAggregateFunction(any, String) CODEC(ZSTD(3)),
  first_after_ms SimpleAggregateFunction(min, Int64) CODEC(T64, ZSTD),
  last_after_ms SimpleAggregateFunction(max, Int64) CODEC(T64, ZSTD),
  events SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  pageviews SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  goals SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  engagement_ms SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  touch SimpleAggregateFunction(min, String) CODEC(ZSTD(6)),
  first_page SimpleAggregateFunction(min, String) CODEC(ZSTD(6)),
  last_page SimpleAggregateFunction(max, String) CODEC(ZSTD(6)),
  ${valuesIn('touch', TOUCH_COLUMNS).join(',\n  ')},
  ${valuesIn('first_page', FIRST_COLUMNS).join(',\n  ')},
  ${valuesIn('last_page', ['exit_page']).join(',\n  ')},
  visitor UInt64 ALIAS cityHash64(visitor_id),
  ${TIMES_OF_VISIT},
  PROJECTION ${DAYS_PROJECTION}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(visit_started_at)
ORDER BY (site_id, visit_started_at, visit_id)
SETTINGS ${DURABLE}, deduplicate_merge_projection_mode = 'rebuild'`;

/** A backend's goal: its visitor has a pageview already, and a visit takes its count alone. */
export const IS_REPORTED = "e.extends_visit = 0 AND e.type = 'goal'";
/** The text, or for a backend's goal one that sorts after all that begin with an instant. */
const unlessReported = (text: string) => `if(${IS_REPORTED}, '~', ${text})`;

/** SQL of which events make visits; `e` is the event. */
export const MAKES_VISIT = `e.visit_id != ${NO_VISIT}`;

/**
 * How visits are made from events; a rebuild runs the same.
 *
 * Why the smallest text, with the instant in front: a visit takes its source from its first event
 * that has any (docs/metrics.md), whatever the order of arrival; one text costs half of a state
 * for each value, and two events of one millisecond always come out the same.
 */
export const VISITS_SELECT = `
SELECT e.site_id AS site_id, e.visit_started_at AS visit_started_at, e.visit_id AS visit_id,
  any(e.visitor_id) AS visitor_id,
  min(${MS_AFTER_START}) AS first_after_ms,
  max(if(e.extends_visit = 1, ${MS_AFTER_START}, -toUnixTimestamp64Milli(e.visit_started_at))) AS last_after_ms,
  count() AS events,
  countIf(${IS_PAGEVIEW}) AS pageviews,
  countIf(e.type = 'goal') AS goals,
  sum(toUInt64(e.engagement_ms)) AS engagement_ms,
  min(${unlessReported(joined(rankedInVisit(HAS_SOURCE), 'e.origin', 'e.referrer'))}) AS touch,
  min(${unlessReported(joined(rankedInVisit(IS_PAGEVIEW), 'e.bot_class', `if(${IS_PAGEVIEW}, e.path, '')`, 'e.hostname', 'e.setting', 'e.bot_reason'))}) AS first_page,
  max(if(${IS_PAGEVIEW}, ${joined(rankedInVisit(IS_PAGEVIEW), 'e.path')}, '')) AS last_page
FROM events AS e
WHERE ${MAKES_VISIT}
GROUP BY site_id, visit_started_at, visit_id`;
