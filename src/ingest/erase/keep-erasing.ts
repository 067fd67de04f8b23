import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { keepRunning } from '#jobs/keep-running.ts';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { callThrough } from '#storage/worker-calls.ts';
import type { EraseCalls, EraseWorkerOptions } from './erase-thread.ts';
import type { Erasures } from './ports.ts';

type KeptErasing = Omit<EraseWorkerOptions, 'ledgerPort' | 'webPort'> & {
  /** The module that runs `runEraseThread`. */
  readonly thread: URL;
  readonly ledger: Pick<Erasures, 'isAnythingDue'> & {
    /** Throws if its file is missing. */
    assertInPlace(): void;
    /** A port to its owner. */
    makePort(): Promise<MessagePort>;
  };
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
  const { ledger } = options;
  const job = keepRunning({
    ...{ name: 'erasures', everyMs: POLL_EVERY_MS, retryMs: [RETRY_AFTER_MS, RETRY_AFTER_MS] },
    async run(stopped) {
      if (!(await ledger.isAnythingDue())) return;
      ledger.assertInPlace();
      await erase(options, stopped);
    },
    onChange: (failure) => failure && options.onFailure(failure.message),
  });
  job.wake();
  return { stop: job.stop };
}

/** Erases in a thread. If it is stopped, an unfinished erasure resumes after the next start. */
async function erase(options: KeptErasing, stopped: AbortSignal): Promise<void> {
  const { warehouse, paths, wake, leaveArchiveFile, ship, onUnread } = options;
  const { port1, port2: webPort } = new MessageChannel();
  const reportUnread = (unread: UnreadBytes) => onUnread(unread, UNREAD);
  const own: EraseCalls = { wake, leaveArchiveFile, waitForShipping: ship, reportUnread };
  callThrough(own, port1);
  const ports = { ledgerPort: await options.ledger.makePort(), webPort };
  const worker = new Worker(options.thread, {
    workerData: { ...ports, warehouse, paths } satisfies EraseWorkerOptions,
    transferList: Object.values(ports),
  });
  worker.unref();
  stopped.addEventListener('abort', () => void worker.terminate());
  await once(worker, 'exit'); // Rejects with the error that ends the thread.
}
