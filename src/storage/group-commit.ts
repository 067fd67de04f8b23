import { assert } from '#domain/assert.ts';

interface GroupCommit<T, R> {
  /** Resolves with the commit's result for this entry. Rejects with the error of its group. */
  add(entry: T): Promise<R>;
}

type GroupCommitOptions = {
  /** May delay the commit of an idle queue's first group, so that more entries join it. */
  readonly gather?: (begin: () => void) => void;
  /** Maximum number of commits in flight. Default: 1. They begin in order. */
  readonly inFlightMax?: number;
};

/**
 * Creates a group commit. The first entry is committed immediately. Entries that arrive while the maximum number of
 * commits is in flight form the next group.
 *
 * - Shape: `commit` returns one result per entry, in order. A failed commit rejects only its own group.
 * - Why: an fsync costs the same for one entry and for a thousand. Groups grow with the load, and idle entries
 *   do not wait. There is no timer to tune.
 */
export function createGroupCommit<T, R>(
  commit: (group: readonly T[]) => Promise<readonly R[]>,
  { gather = (begin) => begin(), inFlightMax = 1 }: GroupCommitOptions = {},
): GroupCommit<T, R> {
  let entries: T[] = [];
  let waiters: PromiseWithResolvers<R>[] = [];
  let inFlight = 0;
  let isGathering = false;

  function gatherNext(): void {
    isGathering = true;
    gather(() => {
      isGathering = false;
      void commitNext();
    });
  }

  /** Entries that arrived during a commit are committed without gathering more. */
  function proceed(): void {
    inFlight -= 1;
    if (!isGathering && entries.length > 0) void commitNext();
  }

  async function commitNext(): Promise<void> {
    inFlight += 1;
    const group = { entries, waiters };
    [entries, waiters] = [[], []];
    try {
      const results = await commit(group.entries);
      assert(results.length === group.entries.length, 'a commit has a result for each entry');
      // Start the next group before resolving this one, so that the disk works while callers run.
      proceed();
      for (const [index, { resolve }] of group.waiters.entries()) resolve(results[index] as R);
    } catch (error) {
      proceed();
      for (const { reject } of group.waiters) reject(error);
    }
  }

  return {
    add(entry) {
      const waiter = Promise.withResolvers<R>();
      entries.push(entry);
      waiters.push(waiter);
      if (!isGathering && inFlight < inFlightMax) gatherNext();
      return waiter.promise;
    },
  };
}
