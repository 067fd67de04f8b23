import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CountedBatches } from '#contract/counted-batches.ts';
import type { EventLine } from '#contract/event-lines.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { forgetArchived, type UnreadBytes } from '#journal/archive/forget-archived.ts';
import { scrubJournals } from '#journal/scrub-journals.ts';
import type { ErasureCounts } from '#ledger/erasure/erasure-store.ts';
import type { Erasures, ErasureWork } from '#ledger/erasure/open-erasures.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { type Forgotten, forget } from '#warehouse/forget/forget.ts';

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
  /** Has payments and events shipped at once. */
  wake(): void;
  /** Has the next shipment begin another file of the archive. */
  leaveArchiveFile(): void;
  /** Hears of bytes of the archive that cannot be searched. */
  reportUnread(unread: UnreadBytes): void;
  /** How long the machine has run. */
  readonly uptimeMs: () => number;
};

/**
 * By then, events that were on their way when the erasure was requested have come in: an event waits up to two
 * seconds for what the warehouse knows of its visitor, and then for the disk.
 */
const LATE_MAX_MS = 6_000;
const SHIPPED_MAX_MS = 15_000;
const LOOK_EVERY_MS = 100;
/** By then the web process has forgotten whom it has in memory. */
const FORGOTTEN_MS = 1_000;

/**
 * Does the oldest erasure that is not done, of a person or of what a site keeps no longer; returns whether
 * there was one.
 *
 * - Every step is safe to repeat, and what the next one needs is on disk before it begins: killed at any
 *   time, it goes on from there.
 * - Shape: a person's events are all shipped first, so that the person is in warehouse, archive and ledger
 *   alone. They are taken out of these; at last the files are written anew. Of retention only events go.
 */
export async function eraseNext(ports: ErasePorts): Promise<boolean> {
  const { erasures } = ports;
  const next = erasures.findNext();
  if (next === undefined) return false;
  if (next.state !== 'scrubbing') await takeOut(ports, await findPerson(ports, next));
  if (next.before === undefined) {
    const forgottenBy = performance.now() + FORGOTTEN_MS;
    await erasures.scrub();
    await sleep(Math.max(0, forgottenBy - performance.now()));
  }
  erasures.finish(next.id);
  return true;
}

/** The erasure of a person, with who that is. */
async function findPerson(ports: ErasePorts, work: ErasureWork): Promise<ErasureWork> {
  const { id, visitorId, uptimeMs: requestedMs = 0 } = work;
  if (visitorId === undefined) return work;
  const waitedMs = ports.uptimeMs() - requestedMs; // Negative when the machine was restarted since.
  await sleep(waitedMs < 0 ? LATE_MAX_MS : Math.max(0, LATE_MAX_MS - waitedMs));
  ports.wake();
  await ports.waitForShipping();
  const person = ports.erasures.findSubject(work);
  ports.erasures.begin(id, person);
  return { ...work, person };
}

/** Takes what is to go out of all stores. */
async function takeOut(ports: ErasePorts, work: ErasureWork): Promise<void> {
  const { erasures, warehouse, paths, alone } = ports;
  const { id, siteId, person, before = 0 } = work;
  if (person !== undefined) {
    erasures.erasePerson(work, person);
    await shipPayments(ports);
  }
  const forgotten = { siteId, ...(person ?? { before }) };
  const counted = await forget(warehouse, forgotten, {
    counted: work.counted ?? [],
    note: (held) => erasures.addCounted(id, held),
    alone,
  });
  const counts = await eraseArchive(ports, forgotten, counted);
  if (person !== undefined) {
    await scrubJournals(paths.journals, [...person.visitors, ...person.emails]);
  }
  await rm(paths.rebuild, { recursive: true, force: true });
  erasures.forgetSubject(id, counts);
}

/** Else an older row of a payment would reach the warehouse after it was cleaned. */
async function shipPayments({ erasures, wake }: ErasePorts): Promise<void> {
  wake();
  for (const until = performance.now() + SHIPPED_MAX_MS; !erasures.isShipped(); ) {
    if (performance.now() > until) throw new UnavailableError('Payments are not shipped.');
    await sleep(LOOK_EVERY_MS);
  }
}

/** The open file is left first, and what was on its way into it is let in. */
async function eraseArchive(
  ports: ErasePorts,
  forgotten: Forgotten,
  counted: readonly CountedBatches[],
): Promise<ErasureCounts> {
  if (counted.length === 0) return {};
  ports.leaveArchiveFile();
  ports.wake();
  await ports.waitForShipping();
  const texts = 'before' in forgotten ? [forgotten.siteId] : forgotten.visitors;
  const lines = { counted, texts, isForgotten: toIsForgotten(forgotten) };
  let unreadBytes = 0;
  const archived = await forgetArchived(ports.paths.archive, lines, (unread) => {
    unreadBytes += unread.bytes;
    ports.reportUnread(unread);
  });
  return { archived_events: archived, unread_archive_bytes: unreadBytes };
}

/** Whether a line of the archive holds an event that goes. */
function toIsForgotten(forgotten: Forgotten): (event: EventLine) => boolean {
  const { siteId } = forgotten;
  if ('before' in forgotten) {
    return (event) => {
      const beganAt = event.visit_id === undefined ? event.occurred_at : event.visit_started_at;
      return event.site_id === siteId && Number(beganAt) < forgotten.before;
    };
  }
  const visitors = new Set<unknown>(forgotten.visitors);
  return (event) => event.site_id === siteId && visitors.has(event.visitor_id);
}
