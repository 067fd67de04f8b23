import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLine } from '#contract/event-lines.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { forgetArchived, type UnreadBytes } from '#journal/archive/forget-archived.ts';
import { leaveArchiveFiles } from '#journal/archive/open-archive.ts';
import { scrubJournals } from '#journal/scrub-journals.ts';
import type { Erasure, ErasureCounts } from '#ledger/erasure/erasure-store.ts';
import type { Erasures, ErasureWork } from '#ledger/erasure/open-erasures.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { findHeldEvents, forgetVisitors } from '#warehouse/forget/forget-visitors.ts';

/** Where everything that may know a person lies. */
export type ErasePaths = {
  readonly journals: string;
  readonly archive: string;
  /** A warehouse that was being made anew, which would know the person still. */
  readonly rebuild: string;
};

/** What erasing needs of the world. */
export type ErasePorts = {
  readonly erasures: Erasures;
  readonly warehouse: Warehouse;
  readonly paths: ErasePaths;
  /** Resolves when the warehouse has every event that was accepted before. Throws when it takes long. */
  waitForShipping(): Promise<void>;
  /** Does the work while nobody ships. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Asks for payments to be shipped. */
  wake(): void;
  /** Hears of bytes of the archive that could not be looked into. */
  reportUnread(unread: UnreadBytes): void;
  readonly now: () => number;
};

/** A request that is just being taken in has an earlier instant than its batch: it is let in first. */
const GRACE_MS = 1_000;
const SHIPPED_MAX_MS = 15_000;
const LOOK_EVERY_MS = 100;
/**
 * After the instant until which events go, those have come in that were on their way: an event waits up to two
 * seconds for the warehouse to tell who sent it, and then for the disk.
 */
const LATE_MAX_MS = 5_000;
/** By then the web process has forgotten whom it has in memory. */
const FORGOTTEN_MS = 1_000;

/**
 * Does the oldest erasure that is not done; answers whether there was one.
 *
 * - Every step is safe to repeat, and what the next one needs is on disk before it begins: killed at any
 *   time, it goes on from there.
 * - Shape: whatever waits is shipped first, so that a person is in warehouse, archive and ledger
 *   alone; then they are taken out of these, and so is what came late; at last the files are written anew.
 */
export async function eraseNext(ports: ErasePorts): Promise<boolean> {
  const { erasures } = ports;
  const erasure = erasures.findNext();
  if (erasure === undefined) return false;
  const { id, visitorId } = erasure;
  if (erasure.state === 'waiting' && visitorId !== undefined) {
    await begin(ports, { ...erasure, visitorId });
  }
  if (erasure.state !== 'scrubbing') {
    let counts = await takeOut(ports, erasure);
    while (await addLate(ports, erasure)) counts = addUp(counts, await takeOut(ports, erasure));
    erasures.forgetSubject(id, counts);
  }
  const forgottenBy = performance.now() + FORGOTTEN_MS;
  await erasures.scrub();
  await sleep(Math.max(0, forgottenBy - performance.now()));
  erasures.finish(id, ports.now());
  return true;
}

type Begun = Parameters<Erasures['begin']>[0] & { readonly visitorId: string };

/** Finds out what is to go, and writes it down. */
async function begin(ports: ErasePorts, erasure: Begun): Promise<void> {
  const { siteId, visitorId, requestedAt } = erasure;
  const until = requestedAt + GRACE_MS;
  await sleep(Math.max(0, until - ports.now()));
  ports.wake();
  await ports.waitForShipping();
  const subject = ports.erasures.findSubject(siteId, visitorId);
  const { visitors, transactions } = subject;
  const held = await findHeldEvents(ports.warehouse, { siteId, visitors, transactions, until });
  const work: ErasureWork = { subject, batchIds: held.batchIds, until };
  ports.erasures.begin(erasure, work, held.rowsByJournal);
}

/** Takes the person out of everything, as far as it is written down; answers what the archive held. */
async function takeOut(ports: ErasePorts, erasure: Erasure): Promise<ErasureCounts> {
  const { erasures, paths } = ports;
  const { siteId } = erasure;
  const work = erasures.readWork(erasure.id);
  erasures.erasePerson(erasure, work.subject);
  await shipPayments(ports);
  const { visitors, transactions } = work.subject;
  const { batchIds, until } = work;
  const forgotten = { siteId, visitors, transactions, batchIds, until };
  await forgetVisitors(ports.warehouse, forgotten, ports.alone);
  const archiveCounts = await eraseArchive(ports, siteId, work);
  await scrubJournals(paths.journals, [...visitors, ...work.subject.emails]);
  await rm(paths.rebuild, { recursive: true, force: true });
  return archiveCounts;
}

/**
 * Writes down events that came in after the others were counted; answers whether there were any.
 *
 * Why they are looked for, and not just taken out with the others: what is counted nowhere would be missing from
 * the warehouse for verify, and come back from the archive.
 */
async function addLate(ports: ErasePorts, { id, siteId }: Erasure): Promise<boolean> {
  const { subject, until } = ports.erasures.readWork(id);
  await sleep(Math.max(0, until + LATE_MAX_MS - ports.now()));
  ports.wake();
  await ports.waitForShipping();
  const { visitors, transactions } = subject;
  const late = await findHeldEvents(ports.warehouse, { siteId, visitors, transactions, until });
  if (late.batchIds.length === 0) return false;
  ports.erasures.addLate(id, late.batchIds, late.rowsByJournal);
  return true;
}

/** What cannot be read stays, and is found by every look. */
function addUp(before: ErasureCounts, counts: ErasureCounts): ErasureCounts {
  const archived = (before.archived_events ?? 0) + (counts.archived_events ?? 0);
  return { ...before, ...counts, archived_events: archived };
}

/** Else an older row of a payment would reach the warehouse after it was cleaned. */
async function shipPayments({ erasures, wake }: ErasePorts): Promise<void> {
  wake();
  for (const until = performance.now() + SHIPPED_MAX_MS; !erasures.isShipped(); ) {
    if (performance.now() > until) throw new UnavailableError('Payments are not shipped.');
    await sleep(LOOK_EVERY_MS);
  }
}

/** Writers leave their files first, and whatever was on its way into one is let in. */
async function eraseArchive(
  ports: ErasePorts,
  siteId: string,
  { subject, batchIds, until }: ErasureWork,
): Promise<ErasureCounts> {
  if (batchIds.length === 0) return {};
  await leaveArchiveFiles(ports.paths.archive);
  await ports.waitForShipping();
  const visitors = new Set<unknown>(subject.visitors);
  const lines = {
    batchIds,
    texts: subject.visitors,
    isForgotten: (event: EventLine) =>
      event.site_id === siteId &&
      visitors.has(event.visitor_id) &&
      Number(event.accepted_at) <= until,
  };
  let unreadBytes = 0;
  const forgotten = await forgetArchived(ports.paths.archive, lines, (unread) => {
    unreadBytes += unread.bytes;
    ports.reportUnread(unread);
  });
  return { archived_events: forgotten, unread_archive_bytes: unreadBytes };
}
