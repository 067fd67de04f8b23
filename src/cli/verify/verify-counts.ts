import { waitUntil } from '#jobs/wait.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { VISITS_VIEW } from '#warehouse/tables/visits.ts';
import { readAcceptedGaps, withAccepted } from './accepted-gaps.ts';
import { type Check, RECOUNT_LIMITS, toCount, toNotCompared } from './count.ts';
import { type ArchiveCountOptions, countArchivedEvents } from './count-archived-events.ts';
import { countBrokenParts } from './count-broken-parts.ts';
import { countDamagedFiles, countEvents } from './count-events.ts';
import { countMoney } from './count-money.ts';
import { countPersons } from './count-persons.ts';

/** Allows for a running server: an insert reaches `events` a moment before `visits`. */
const LOOK_AGAIN = { everyMs: 500, maxMs: 5_000 };

/**
 * Makes every comparison; accepted gaps count as agreement. While a server runs, differences are
 * rechecked for a few seconds before they are reported. The archive is read once: that is slow, and
 * its data does not change.
 */
export async function verifyCounts(
  paths: DataPaths,
  warehouse: Warehouse,
  options: ArchiveCountOptions,
): Promise<Check[]> {
  const accepted = readAcceptedGaps(paths);
  const archived = withAccepted(await countArchivedEvents(paths, warehouse, options), accepted);
  let counts: Check[] = [];
  async function agrees(): Promise<boolean> {
    const broken = await countBrokenParts(warehouse);
    const isBroken = broken.length > 0;
    const damagedFiles = countDamagedFiles(paths);
    counts = [
      ...withAccepted(await countEvents(paths, warehouse, options.isServing), accepted),
      ...(damagedFiles > 0 ? [toCount('damaged journal files', 0, damagedFiles)] : []),
      ...(await unlessBroken(isBroken, 'visits', () => countVisits(warehouse))),
      ...broken,
      ...(await unlessBroken(isBroken, 'payments', () => countMoney('payments', paths, warehouse))),
      ...(await unlessBroken(isBroken, 'costs', () => countMoney('costs', paths, warehouse))),
      ...(await unlessBroken(isBroken, 'persons', () => countPersons(paths, warehouse))),
    ];
    return counts.every((each) => each.agrees);
  }
  if (options.isServing) await waitUntil(agrees, LOOK_AGAIN);
  else await agrees();
  return [...counts, ...archived];
}

/** Makes counts, or reports that it could not if the warehouse has damaged files. */
async function unlessBroken(
  isBroken: boolean,
  what: string,
  count: () => Promise<Check[]>,
): Promise<Check[]> {
  try {
    return await count();
  } catch (error) {
    if (!isBroken) throw error;
    return [toNotCompared(`${what}: ${error}`)];
  }
}

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
async function countVisits(warehouse: Warehouse): Promise<Check[]> {
  const [row] = await warehouse.select<Record<'expected' | 'found', readonly string[]>>(
    {
      sql: `SELECT
          (SELECT [${SUMS.map(([, ofEvents]) => ofEvents).join(', ')}] FROM events AS e WHERE ${VISITS_VIEW.makesOf}) AS expected,
          (SELECT [${SUMS.map(([, , ofVisits]) => ofVisits).join(', ')}] FROM visits) AS found`,
    },
    RECOUNT_LIMITS,
  );
  return SUMS.map(([what], index) =>
    toCount(what, row?.expected[index] ?? 0, row?.found[index] ?? 0),
  );
}
