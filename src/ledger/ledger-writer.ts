import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createGroupCommit } from '#storage/group-commit.ts';
import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';
import { cannotWrite } from './create-place-check.ts';
import { packGroup, unpackOutcomes } from './group-messages.ts';
import type { FromLedgerWorker, LedgerWorkerOptions, ToLedgerWorker } from './ledger-worker.ts';

/** Records entries durably, many in one commit. */
export interface LedgerWriter {
  /** Resolves after the fsync. Throws UnavailableError when nothing was recorded. */
  add(entry: LedgerEntry): Promise<LedgerOutcome>;
  /** Resolves when whatever was added before is on disk and the thread has ended. */
  close(): Promise<void>;
}

/**
 * A writer with a thread of its own, which starts with the first entry: commands that only read
 * never pay for it. A thread that died is replaced by the next group's. Nothing is taken while
 * `assertInPlace` throws.
 */
export function createLedgerWriter(
  options: LedgerWorkerOptions,
  assertInPlace: () => void,
): LedgerWriter {
  let thread: LedgerThread | undefined;
  let lastAdded: Promise<unknown> = Promise.resolve();

  const commits = createGroupCommit<LedgerEntry, LedgerOutcome>(
    async (entries) => {
      assertInPlace();
      if (thread === undefined || !thread.isAlive()) thread = startThread(options);
      return thread.commit(entries);
    },
    { gather: setImmediate }, // Reports that were read together are committed together.
  );

  return {
    add(entry) {
      const added = commits.add(entry);
      lastAdded = added;
      return added;
    },
    async close() {
      await lastAdded.catch(() => {}); // Its own caller hears of it.
      await thread?.close();
      thread = undefined;
    },
  };
}

type LedgerThread = {
  isAlive(): boolean;
  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]>;
  close(): Promise<void>;
};

function startThread(workerData: LedgerWorkerOptions): LedgerThread {
  const worker = new Worker(new URL('./ledger-worker.ts', import.meta.url), { workerData });
  // At most one group is under way, so one pair of hands is enough.
  let waiting: PromiseWithResolvers<readonly LedgerOutcome[]> | undefined;
  let alive = true;

  function die(reason: unknown): void {
    alive = false;
    waiting?.reject(cannotWrite(reason));
    waiting = undefined;
  }
  worker.on('error', die);
  worker.on('exit', () => die('the ledger thread ended'));
  worker.on('message', (message: FromLedgerWorker) => {
    if (message.kind === 'committed') waiting?.resolve(unpackOutcomes(message.outcomes));
    else waiting?.reject(cannotWrite(message.message));
    waiting = undefined;
  });

  const send = (message: ToLedgerWorker) => worker.postMessage(message);
  return {
    isAlive: () => alive,
    commit(entries) {
      waiting = Promise.withResolvers();
      send({ kind: 'commit', group: packGroup(entries) });
      return waiting.promise;
    },
    async close() {
      if (!alive) return;
      const exited = once(worker, 'exit');
      send({ kind: 'close' });
      await exited;
    },
  };
}
