import { Worker } from 'node:worker_threads';
import { keepRunning } from '#jobs/keep-running.ts';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import type { EraseMessage, EraseWorkerOptions } from './erase-thread.ts';
import type { Erasures } from './ports.ts';

type KeptErasing = EraseWorkerOptions & {
  /** The module that runs `runEraseThread`. */
  readonly thread: URL;
  /** The ledger, on a connection of its own. It is closed at the end. */
  readonly erasures: Erasures;
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
export function keepErasing(options: KeptErasing): { stop(): Promise<void> } {
  const { erasures } = options;
  const job = keepRunning({
    ...{ name: 'erasures', everyMs: POLL_EVERY_MS, retryMs: [RETRY_AFTER_MS, RETRY_AFTER_MS] },
    async run(stopped) {
      if (!(await erasures.isAnythingDue())) return;
      options.assertLedger();
      await erase(options, stopped);
    },
    onChange: (failure) => failure && options.onFailure(failure.message),
  });
  job.wake();
  return {
    async stop() {
      await job.stop();
      await erasures.close();
    },
  };
}

/** Erases in a thread. If it is stopped, an unfinished erasure resumes after the next start. */
function erase(options: KeptErasing, stopped: AbortSignal): Promise<void> {
  const { wake, leaveArchiveFile, ship, onUnread } = options;
  const { ledger, clockPath, warehouse, paths } = options;
  const workerData: EraseWorkerOptions = { ledger, clockPath, warehouse, paths };
  const worker = new Worker(options.thread, { workerData });
  worker.unref();
  worker.on('message', (message: EraseMessage) => {
    const answer = (failure?: unknown) => worker.postMessage(failure && String(failure));
    if (message.kind === 'unread') onUnread(message.unread, UNREAD);
    else if (message.kind === 'wake') wake();
    else if (message.kind === 'leave_archive_file') leaveArchiveFile();
    else ship().then(() => answer(), answer);
  });
  stopped.addEventListener('abort', () => void worker.terminate());
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
