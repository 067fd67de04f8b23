import { setTimeout as sleep } from 'node:timers/promises';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { readAcceptedGaps, withAccepted } from './accepted-gaps.ts';
import { type Count, toNotCompared } from './count.ts';
import { type ArchiveQuestion, countArchivedEvents } from './count-archived-events.ts';
import { countBrokenParts } from './count-broken-parts.ts';
import { countEvents } from './count-events.ts';
import { countPayments } from './count-payments.ts';
import { countPersons } from './count-persons.ts';
import { countDamagedFiles } from './count-set-aside.ts';
import { countViews } from './count-views.ts';

/** While the server runs, an insert is in `events` a moment before it is in the views. */
const LOOK_AGAIN_MAX_MS = 5_000;
const LOOK_AGAIN_EVERY_MS = 500;

/**
 * Every count. While a server runs, one that differs is made again for some seconds before it is
 * believed; that of the archive is long, and of what does not change. What was accepted agrees.
 */
export async function verifyCounts(
  paths: DataPaths,
  warehouse: Warehouse,
  question: ArchiveQuestion,
): Promise<Count[]> {
  const { isServing } = question;
  const accepted = readAcceptedGaps(paths);
  const archived = withAccepted(await countArchivedEvents(paths, warehouse, question), accepted);
  const until = performance.now() + (isServing ? LOOK_AGAIN_MAX_MS : 0);
  for (;;) {
    const broken = await countBrokenParts(warehouse);
    const isBroken = broken.length > 0;
    const counts = [
      ...withAccepted(await countEvents(paths, warehouse), accepted),
      ...archived,
      ...countDamagedFiles(paths),
      ...(await unlessBroken(isBroken, 'visits and visitors', () => countViews(warehouse))),
      ...broken,
      ...(await unlessBroken(isBroken, 'payments', () => countPayments(paths, warehouse))),
      ...(await unlessBroken(isBroken, 'persons', () => countPersons(paths, warehouse))),
    ];
    const isSettled = counts.every((count) => count.agrees || archived.includes(count));
    if (isSettled || performance.now() >= until) return counts;
    await sleep(LOOK_AGAIN_EVERY_MS);
  }
}

/** The counts, or that they cannot be made: a damaged file may not be readable, and is told by itself. */
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
