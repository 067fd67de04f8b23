import { UnavailableError } from '#domain/unavailable.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { cannotWrite } from '../schema/create-place-check.ts';
import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';
import { type OutcomesMessage, packGroup, unpackOutcomes } from './group-messages.ts';

/** Records entries durably, in groups. */
export function createLedgerWriter(commit: (group: string) => Promise<OutcomesMessage>) {
  let lastAdded: Promise<unknown> = Promise.resolve();
  const commits = createGroupCommit<LedgerEntry, LedgerOutcome>(
    async (entries) => {
      try {
        return unpackOutcomes(await commit(packGroup(entries)));
      } catch (error) {
        throw error instanceof UnavailableError ? error : cannotWrite(error);
      }
    },
    { gather: setImmediate }, // Reports read in the same turn are committed together.
  );

  return {
    /** Resolves after the fsync. Throws UnavailableError if nothing was recorded. */
    add(entry: LedgerEntry): Promise<LedgerOutcome> {
      const added = commits.add(entry);
      lastAdded = added;
      return added;
    },
    /** Resolves when all earlier entries are on disk, or refused. */
    settle: () => lastAdded.catch(() => {}),
  };
}
