import { EVENTS } from './events-table.ts';
import { PAYMENTS, PERSONS, RATES } from './ledger-tables.ts';
import { IS_PAGEVIEW, joined, rankedAt, valuesIn } from './sorted-texts.ts';
import { DURABLE, INSTANT } from './table-settings.ts';
import { IS_REPORTED, VISITS, VISITS_SELECT } from './visits-table.ts';

/**
 * The warehouse's tables. Written once for every engine: `MergeTree` on one machine.
 *
 * - `events` holds what happened, one row an event.
 * - `visits` and `visitors` are made from it by materialized views and are read with `FINAL`.
 * - `payments`, `persons` and `rates` stand in ledger-tables.ts.
 */

/** Small granules: visitors are looked up one by one when a goal of theirs comes. */
const VISITORS = `
CREATE TABLE IF NOT EXISTS visitors (
  site_id LowCardinality(String),
  visitor_id String CODEC(ZSTD),
  last_event_at SimpleAggregateFunction(max, ${INSTANT}) CODEC(T64, ZSTD),
  pageviews SimpleAggregateFunction(sum, UInt64) CODEC(T64, ZSTD),
  first_sight SimpleAggregateFunction(min, String) CODEC(ZSTD),
  ${valuesIn('first_sight', ['bot_class']).join(',\n  ')},
  last_visit AggregateFunction(argMax, Tuple(UUID, ${INSTANT}), ${INSTANT}) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
ORDER BY (site_id, visitor_id)
SETTINGS ${DURABLE}, index_granularity = 512`;

/** SQL of which events make visitors, `e` is the event: a goal that a backend reports brings nobody. */
export const MAKES_VISITOR = `NOT (${IS_REPORTED})`;

/** How visitors are made from events; a rebuild runs the same. */
export const VISITORS_SELECT = `
SELECT e.site_id AS site_id, e.visitor_id AS visitor_id,
  max(if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_event_at,
  countIf(e.type = 'pageview') AS pageviews,
  min(${joined(rankedAt(IS_PAGEVIEW), 'toString(e.bot_class)')}) AS first_sight,
  argMaxState((e.visit_id, e.visit_started_at), if(e.extends_visit = 1, e.occurred_at, toDateTime64(0, 3, 'UTC'))) AS last_visit
FROM events AS e
WHERE ${MAKES_VISITOR}
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
  visitors: VISITORS,
  payments: PAYMENTS,
  persons: PERSONS,
  rates: RATES,
  visits_from_events: `CREATE MATERIALIZED VIEW IF NOT EXISTS visits_from_events TO visits AS ${VISITS_SELECT}`,
  visitors_from_events: `CREATE MATERIALIZED VIEW IF NOT EXISTS visitors_from_events TO visitors AS ${VISITORS_SELECT}`,
};

/** The names of the schema's tables, views left out. */
export const TABLES: readonly string[] = Object.entries(SCHEMA)
  .filter(([, sql]) => sql.trimStart().startsWith('CREATE TABLE'))
  .map(([name]) => name);
