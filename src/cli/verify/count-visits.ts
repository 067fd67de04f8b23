import type { Warehouse } from '#warehouse/client/client.ts';
import { VISITS } from '#warehouse/tables/visits.ts';
import { type Count, RECOUNT_LIMITS, toCount } from './count.ts';

/** The sums to compare, with their SQL over `events` and over `visits`. */
const SUMS = [
  ['events of visits', 'count()', 'sum(events)'],
  ['pageviews of visits', "countIf(type = 'pageview')", 'sum(pageviews)'],
  ['goals of visits', "countIf(type = 'goal')", 'sum(goals)'],
  ['engagement of visits in milliseconds', 'sum(toUInt64(engagement_ms))', 'sum(engagement_ms)'],
] as const;

/**
 * Compares the sums in `visits` with the events from which its view derives them.
 *
 * Why without `FINAL`: sums do not depend on how far the parts are merged.
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
