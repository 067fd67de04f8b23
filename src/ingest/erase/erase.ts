import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLine } from '#contract/rows/event-lines.ts';
import type { CountedBatches } from '#domain/identity/counted-batches.ts';
import type { ErasureCounts, ErasureWork } from '#domain/identity/erasure.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { waitUntil } from '#jobs/wait.ts';
import { forgetArchived, type UnreadBytes } from '#journal/archive/forget-archived.ts';
import { scrubJournals } from '#journal/scrub-journals.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type Forgotten, forget } from '#warehouse/forget/forget.ts';
import type { Erasures } from './ports.ts';

/** The folders that may contain a person's data. */
export type ErasePaths = {
  readonly journals: string;
  readonly archive: string;
  /** An unfinished rebuild of the warehouse, which may still contain the person. */
  readonly rebuild: string;
};

/** The stores and the web process, as erasing needs them. */
export type ErasePorts = {
  readonly erasures: Erasures;
  readonly warehouse: Warehouse;
  readonly paths: ErasePaths;
  /** Resolves when the warehouse has every event accepted before the call. Throws after a timeout. */
  waitForShipping(): Promise<void>;
  /** Runs the work while shipping is paused. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Ships payments and events immediately. */
  wake(): void;
  /** Makes the next shipment begin a new archive file. */
  leaveArchiveFile(): void;
  /** Called for damaged bytes of the archive that cannot be searched. */
  reportUnread(unread: UnreadBytes): void;
  /** The machine's uptime. */
  readonly uptimeMs: () => number;
};

/**
 * By then, events that were in flight when the erasure was requested are on disk. An event waits up to
 * two seconds for its visitor's lookup in the warehouse, and then for the disk.
 */
const IN_FLIGHT_MAX_MS = 6_000;
const SHIPPED_MAX_MS = 15_000;
const POLL_EVERY_MS = 100;
/** By then the web process has cleared its memory of visitors. */
const FORGOTTEN_MS = 1_000;

/**
 * Runs the oldest unfinished erasure, of a person or of events past retention. Returns whether there
 * was one.
 *
 * - Crash-safe: every step is idempotent, and the input of the next step is on disk before it begins.
 * - Shape: ships all events first, so that only warehouse, archive and ledger contain the person.
 *   Deletes the person there, and finally rewrites the files. Retention deletes only events.
 */
export async function eraseNext(ports: ErasePorts): Promise<boolean> {
  const { erasures } = ports;
  const next = await erasures.findNext();
  if (next === undefined) return false;
  if (next.state !== 'scrubbing') await deleteEverywhere(ports, await findPerson(ports, next));
  if (next.before === undefined) {
    const forgottenBy = performance.now() + FORGOTTEN_MS;
    await erasures.scrub();
    await sleep(Math.max(0, forgottenBy - performance.now()));
  }
  await erasures.finish(next.id);
  return true;
}

/** Adds to the erasure of a person all its visitors and identifiers. */
async function findPerson(ports: ErasePorts, work: ErasureWork): Promise<ErasureWork> {
  const { id, visitorId, uptimeMs: requestedMs = 0 } = work;
  if (visitorId === undefined) return work;
  const waitedMs = ports.uptimeMs() - requestedMs; // Negative after a reboot.
  await sleep(waitedMs < 0 ? IN_FLIGHT_MAX_MS : Math.max(0, IN_FLIGHT_MAX_MS - waitedMs));
  ports.wake();
  await ports.waitForShipping();
  const person = await ports.erasures.findSubject(work);
  await ports.erasures.begin(id, person);
  return { ...work, person };
}

/** Deletes the data from all stores. */
async function deleteEverywhere(ports: ErasePorts, work: ErasureWork): Promise<void> {
  const { erasures, warehouse, paths, alone } = ports;
  const { id, siteId, person, before = 0 } = work;
  if (person !== undefined) {
    await erasures.erasePerson(work, person);
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
  await erasures.forgetSubject(id, counts);
}

/** Otherwise, an older row of a payment could reach the warehouse after the deletion. */
async function shipPayments({ erasures, wake }: ErasePorts): Promise<void> {
  wake();
  const limits = { everyMs: POLL_EVERY_MS, maxMs: SHIPPED_MAX_MS };
  if (!(await waitUntil(() => erasures.isShipped(), limits)))
    throw new UnavailableError('Payments have not been shipped in time.');
}

/** Begins a new archive file first, and waits until pending writes to the old one are done. */
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

/** Decides which lines of the archive to delete. */
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
