import { Worker } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { readTrustedNow } from '#storage/keep-clock.ts';
import type { EraseMessage, EraseWorkerOptions } from './erase-worker.ts';

/** The options and callbacks of the erasure scheduler. */
export type KeptErasing = EraseWorkerOptions & {
  /** Throws if the ledger file is missing, because opening it would create an empty one. */
  assertLedger(): void;
  /** Wakes the shipper to ship the ledger's changes. */
  wake(): void;
  /** Makes the next shipment begin a new archive file. */
  leaveArchiveFile(): void;
  /** Resolves when the warehouse has every event that was accepted before the call. */
  ship(): Promise<void>;
  /** Called when an erasure fails. It will be retried. */
  onFailure(message: string): void;
  /** Called for damaged bytes of the archive that could not be searched, with an explanation. */
  onUnread(unread: UnreadBytes, what: string): void;
};

/** How often to look for requests, and for events past their retention. */
const POLL_EVERY_MS = 500;
/** Delay after a failure, such as an unavailable warehouse. */
const RETRY_AFTER_MS = 3_000;

const UNREAD =
  'Damaged bytes of the archive stay, because neither erasure nor retention can search them. See docs/reliability.md.';

/** Runs erasures as they are requested, and deletes events past the retention of their site. */
export async function keepErasing(options: KeptErasing): Promise<{ stop(): Promise<void> }> {
  const { assertLedger, wake, leaveArchiveFile, ship, onFailure, onUnread, ...workerData } =
    options;
  let worker: Worker | undefined;
  let notBefore = 0;
  const trustedNow = () => readTrustedNow(options.clockPath);
  const erasures = await openErasures(options.ledger, Date.now, trustedNow);

  async function isAnythingDue(): Promise<boolean> {
    if (!(await erasures.isAnythingDue())) return false;
    assertLedger();
    return true;
  }

  /** If the ledger cannot be read, the next poll tries again. */
  async function poll(): Promise<void> {
    try {
      if (worker === undefined && performance.now() >= notBefore && (await isAnythingDue()))
        begin();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    notBefore = performance.now() + RETRY_AFTER_MS;
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
  let polling: Promise<void> | undefined;
  function pollAlone(): void {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }
  const timer = setInterval(pollAlone, POLL_EVERY_MS);
  timer.unref();
  pollAlone();
  return {
    async stop() {
      clearInterval(timer);
      await polling;
      await erasures.close();
      await worker?.terminate(); // An unfinished erasure resumes after the next start.
    },
  };
}
