import type { Warehouse } from '#warehouse/client.ts';
import { VISITS } from '#warehouse/tables/visits.ts';
import { type Count, RECOUNT_LIMITS, toCount } from './count.ts';

/** What is summed, and SQL of it over events and over `visits`. */
const SUMS = [
  ['events of visits', 'count()', 'sum(events)'],
  ['pageviews of visits', "countIf(type = 'pageview')", 'sum(pageviews)'],
  ['goals of visits', "countIf(type = 'goal')", 'sum(goals)'],
  ['engagement of visits in milliseconds', 'sum(toUInt64(engagement_ms))', 'sum(engagement_ms)'],
] as const;

/**
 * What `visits` sums up, against the events that its view made it of.
 *
 * Why sums without `FINAL`: they are the same however far the parts are merged.
 */
export async function countVisits(warehouse: Warehouse): Promise<Count[]> {
  const [row] = await warehouse.select<Record<'expected' | 'found', readonly string[]>>(
    {
      sql: `SELECT
          (SELECT [${SUMS.map(([, ofEvents]) => ofEvents).join(', ')}] FROM events AS e WHERE ${VISITS.makesOf}) AS expected,
          (SELECT [${SUMS.map(([, , ofVisits]) => ofVisits).join(', ')}] FROM visits) AS found`,
    },
    RECOUNT_LIMITS,
  );
  return SUMS.map(([what], index) =>
    toCount(what, row?.expected[index] ?? 0, row?.found[index] ?? 0),
  );
}
