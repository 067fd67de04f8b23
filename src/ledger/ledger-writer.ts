import { createGroupCommit } from '#storage/group-commit.ts';
import { type CalledThread, startThread } from '#storage/worker-calls.ts';
import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';
import { cannotWrite } from './create-place-check.ts';
import {
  type LedgerCall,
  type OutcomesMessage,
  packGroup,
  unpackOutcomes,
} from './group-messages.ts';
import type { LedgerWorkerOptions } from './ledger-worker.ts';

/** Records entries durably, many in one commit. */
export interface LedgerWriter {
  /** Resolves after the fsync. Throws UnavailableError when nothing was recorded. */
  add(entry: LedgerEntry): Promise<LedgerOutcome>;
  /** Resolves when all that was added before is on disk and the thread has ended. */
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
  let thread: CalledThread<LedgerCall> | undefined;
  let lastAdded: Promise<unknown> = Promise.resolve();

  const commits = createGroupCommit<LedgerEntry, LedgerOutcome>(
    async (entries) => {
      assertInPlace();
      if (!thread?.isAlive()) thread = startThread(WORKER, options);
      try {
        const answer = await thread.call({ kind: 'commit', group: packGroup(entries) });
        return unpackOutcomes(answer as OutcomesMessage);
      } catch (error) {
        throw cannotWrite(error);
      }
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
      if (thread?.isAlive()) await thread.close();
      thread = undefined;
    },
  };
}

const WORKER = new URL('./ledger-worker.ts', import.meta.url);
