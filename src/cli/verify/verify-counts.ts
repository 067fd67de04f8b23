import { setTimeout as sleep } from 'node:timers/promises';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { readAcceptedGaps, withAccepted } from './accepted-gaps.ts';
import { type Count, toCount, toNotCompared } from './count.ts';
import { type ArchiveOptions, countArchivedEvents } from './count-archived-events.ts';
import { countBrokenParts } from './count-broken-parts.ts';
import { countDamagedFiles, countEvents } from './count-events.ts';
import { countPayments } from './count-payments.ts';
import { countPersons } from './count-persons.ts';
import { countVisits } from './count-visits.ts';

/** While the server runs, an insert is in `events` a moment before it is in `visits`. */
const LOOK_AGAIN_MAX_MS = 5_000;
const LOOK_AGAIN_EVERY_MS = 500;

/**
 * Every count. While a server runs, one that differs is made again for some seconds before it is
 * believed; not that of the archive, which takes long and does not change. Accepted gaps agree.
 */
export async function verifyCounts(
  paths: DataPaths,
  warehouse: Warehouse,
  options: ArchiveOptions,
): Promise<Count[]> {
  const accepted = readAcceptedGaps(paths);
  const archived = withAccepted(await countArchivedEvents(paths, warehouse, options), accepted);
  const until = performance.now() + (options.isServing ? LOOK_AGAIN_MAX_MS : 0);
  for (;;) {
    const broken = await countBrokenParts(warehouse);
    const isBroken = broken.length > 0;
    const damagedFiles = countDamagedFiles(paths);
    const counts = [
      ...withAccepted(await countEvents(paths, warehouse, options.isServing), accepted),
      ...(damagedFiles > 0 ? [toCount('damaged journal files', 0, damagedFiles)] : []),
      ...(await unlessBroken(isBroken, 'visits', () => countVisits(warehouse))),
      ...broken,
      ...(await unlessBroken(isBroken, 'payments', () => countPayments(paths, warehouse))),
      ...(await unlessBroken(isBroken, 'persons', () => countPersons(paths, warehouse))),
    ];
    if (counts.every(({ agrees }) => agrees) || performance.now() >= until) {
      return [...counts, ...archived];
    }
    await sleep(LOOK_AGAIN_EVERY_MS);
  }
}

/** The counts, or that they cannot be made: a damaged file, reported by itself, may not be readable. */
async function unlessBroken(
  isBroken: boolean,
  what: string,
  count: () => Promise<Count[]>,
): Promise<Count[]> {
  try {
    return await count();
  } catch (error) {
    if (!isBroken) throw error;
    return [toNotCompared(`${what}: ${error}`)];
  }
}
