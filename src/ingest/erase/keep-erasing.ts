import { Worker } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { readTrustedNow } from '#storage/keep-clock.ts';
import type { EraseMessage, EraseWorkerOptions } from './erase-worker.ts';

/** What erasing needs. */
export type KeptErasing = EraseWorkerOptions & {
  /** Throws while the ledger is gone: opening it then would make an empty one. */
  assertLedger(): void;
  /** Wakes the shipper when the ledger has something to ship. */
  wake(): void;
  /** Has the next shipment begin another file of the archive. */
  leaveArchiveFile(): void;
  /** Resolves when the warehouse has every event that was accepted before the call. */
  ship(): Promise<void>;
  /** Hears why an erasure could not go on; it is tried again. */
  onFailure(message: string): void;
  /** Hears of bytes of the archive that could not be looked into, and what that means. */
  onUnread(unread: UnreadBytes, what: string): void;
};

/** A request, a new day and a site that keeps things for less time are seen this soon. */
const LOOK_EVERY_MS = 500;
/** After a failure, as when the warehouse is away. */
const TRY_AGAIN_MS = 3_000;

const UNREAD =
  'Damaged bytes of the archive stay: neither an erasure nor retention can search them. What to do: docs/reliability.md.';

/** Does erasures as they are requested, and deletes what is older than its site keeps it. */
export function keepErasing(options: KeptErasing): { stop(): Promise<void> } {
  const { assertLedger, wake, leaveArchiveFile, ship, onFailure, onUnread, ...workerData } =
    options;
  let worker: Worker | undefined;
  let notBefore = 0;
  const trustedNow = () => readTrustedNow(options.clockPath);
  const erasures = openErasures(options.ledger, Date.now, trustedNow);

  function isAnythingDue(): boolean {
    if (!erasures.isAnythingDue()) return false;
    assertLedger();
    return true;
  }

  /** A ledger that cannot be read just now is read with a later look. */
  function look(): void {
    try {
      if (worker === undefined && performance.now() >= notBefore && isAnythingDue()) begin();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    notBefore = performance.now() + TRY_AGAIN_MS;
    onFailure((error as Error).message);
  }

  function begin(): void {
    const begun = new Worker(new URL('./erase-worker.ts', import.meta.url), { workerData });
    worker = begun;
    worker.unref();
    worker.on('message', (message: EraseMessage) => {
      const answer = (failure?: unknown) => begun.postMessage(failure && String(failure));
      if (message.kind === 'unread') onUnread(message.unread, UNREAD);
      else if (message.kind === 'wake') wake();
      else if (message.kind === 'leave_archive_file') leaveArchiveFile();
      else ship().then(() => answer(), answer);
    });
    worker.once('error', fail);
    worker.once('exit', () => {
      worker = undefined;
    });
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return {
    async stop() {
      clearInterval(timer);
      erasures.close();
      await worker?.terminate(); // What it has begun goes on after the next start.
    },
  };
}
