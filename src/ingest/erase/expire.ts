import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLine } from '#contract/event-lines.ts';
import { forgetArchived } from '#journal/archive/forget-archived.ts';
import { leaveArchiveFiles } from '#journal/archive/open-archive.ts';
import type { Expiries, Expiry, ExpiryWork } from '#ledger/erasure/open-expiries.ts';
import {
  findExpiredEvents,
  findSlice,
  forgetBefore,
  isExpired,
} from '#warehouse/forget/forget-before.ts';
import type { ErasePorts } from './erase.ts';

/** What deleting expired events needs of the world. */
export type ExpirePorts = Omit<ErasePorts, 'erasures'> & {
  readonly expiries: Expiries;
  /** How many events go at once, of more than an hour. */
  readonly sliceEventsMax?: number;
};

/** A request that is just being taken in has an earlier instant than its batch: it is let in first. */
const GRACE_MS = 1_000;

/**
 * Lets go what one site has that is older than it keeps anything, of a long history the oldest; answers whether
 * there was a site.
 *
 * - What goes is written down first, counted: {@link expireUnfinished} goes on where a run was killed.
 * - Shape: events, visits and visitors of the warehouse, and the lines of the archive. Payments stay.
 */
export async function expireNext(ports: ExpirePorts): Promise<boolean> {
  const due = ports.expiries.findDue();
  if (due === undefined) return false;
  await finish(ports, await begin(ports, due));
  return true;
}

/**
 * Ends what a run has begun that was broken off; answers whether there was one.
 *
 * Why before any erasure: the run has counted its events, and an erasure would count those of the person once more.
 */
export async function expireUnfinished(ports: ExpirePorts): Promise<boolean> {
  const work = ports.expiries.findUnfinished();
  if (work === undefined) return false;
  await finish(ports, work);
  return true;
}

async function finish(ports: ExpirePorts, work: ExpiryWork): Promise<void> {
  const { expiries, warehouse, paths } = ports;
  if (work.batchIds.length > 0) {
    await forgetBefore(warehouse, work, ports.alone);
    await leaveArchiveFiles(paths.archive);
    ports.wake();
    await ports.waitForShipping();
    const lines = {
      batchIds: work.batchIds,
      texts: [work.siteId],
      isForgotten: (event: EventLine) => isExpired(event, work),
    };
    await forgetArchived(paths.archive, lines, ports.reportUnread);
    await rm(paths.rebuild, { recursive: true, force: true });
  }
  expiries.finish(work);
}

/** Counts what is to go, and writes it down. */
async function begin(ports: ExpirePorts, due: Expiry): Promise<ExpiryWork> {
  const { siteId } = due;
  const until = ports.now();
  await sleep(GRACE_MS);
  ports.wake();
  await ports.waitForShipping();
  const since = await findSlice(ports.warehouse, { ...due, until }, ports.sliceEventsMax);
  const held = await findExpiredEvents(ports.warehouse, { siteId, since, until });
  const work = { siteId, since, until, batchIds: held.batchIds };
  ports.expiries.begin(work, held.rowsByJournal);
  return work;
}
