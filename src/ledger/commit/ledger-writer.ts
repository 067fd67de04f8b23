import { createGroupCommit } from '#storage/group-commit.ts';
import { type CalledThread, startThread } from '#storage/worker-calls.ts';
import { cannotWrite } from '../schema/create-place-check.ts';
import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';
import { type LedgerCalls, packGroup, unpackOutcomes } from './group-messages.ts';
import type { LedgerWorkerOptions } from './ledger-worker.ts';

interface LedgerWriter {
  /** Resolves after the fsync. Throws UnavailableError if nothing was recorded. */
  add(entry: LedgerEntry): Promise<LedgerOutcome>;
  /** Resolves when all earlier entries are on disk and the thread has ended. */
  close(): Promise<void>;
}

/**
 * Creates a writer with its own thread. The thread starts with the first entry, so that read-only commands
 * never pay for it. The next group replaces a dead thread. Nothing is accepted while `assertInPlace`
 * throws.
 */
export function createLedgerWriter(
  options: LedgerWorkerOptions,
  assertInPlace: () => void,
): LedgerWriter {
  let thread: CalledThread<LedgerCalls> | undefined;
  let lastAdded: Promise<unknown> = Promise.resolve();

  const commits = createGroupCommit<LedgerEntry, LedgerOutcome>(
    async (entries) => {
      assertInPlace();
      if (!thread?.isAlive()) thread = startThread(WORKER, options);
      try {
        return unpackOutcomes(await thread.calls.commit(packGroup(entries)));
      } catch (error) {
        throw cannotWrite(error);
      }
    },
    { gather: setImmediate }, // Reports read in the same turn are committed together.
  );

  return {
    add(entry) {
      const added = commits.add(entry);
      lastAdded = added;
      return added;
    },
    async close() {
      await lastAdded.catch(() => {}); // Its own caller gets the error.
      if (thread?.isAlive()) await thread.close();
      thread = undefined;
    },
  };
}

const WORKER = new URL('./ledger-worker.ts', import.meta.url);
