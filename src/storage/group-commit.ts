import { assert } from '#domain/assert.ts';

/** Takes entries one by one, and answers each when the group it went into is committed. */
export interface GroupCommit<T, R> {
  /** The commit's result for this entry. Rejects with the commit's error when its group failed. */
  add(entry: T): Promise<R>;
}

/** How groups are made. */
export type GroupCommitOptions = {
  /** May put off the commit of a group that need not wait, so that more entries get into it. */
  readonly gather?: (begin: () => void) => void;
  /** How many commits may be under way at once: one when left out. They begin in order. */
  readonly underWayMax?: number;
};

/**
 * One commit for as many entries as have come in: the first entry is committed at once, and whatever
 * is added while as many commits are under way as may be makes up the next group.
 *
 * - Shape: `commit` answers one result for each entry of its group, in the same order. A failed
 *   commit rejects its own group and no other; the next group is tried as usual.
 * - Why: an fsync costs the same for one entry and for a thousand. Under load the groups grow to
 *   fit; when idle an entry waits for nothing. There is no timer to tune.
 */
export function createGroupCommit<T, R>(
  commit: (group: readonly T[]) => Promise<readonly R[]>,
  { gather = (begin) => begin(), underWayMax = 1 }: GroupCommitOptions = {},
): GroupCommit<T, R> {
  let entries: T[] = [];
  let waiters: PromiseWithResolvers<R>[] = [];
  let underWay = 0;
  let isGathering = false;

  function gatherNext(): void {
    isGathering = true;
    gather(() => {
      isGathering = false;
      void commitNext();
    });
  }

  /** What has gathered during a commit waits for nothing more. */
  function goOn(): void {
    underWay -= 1;
    if (!isGathering && entries.length > 0) void commitNext();
  }

  async function commitNext(): Promise<void> {
    underWay += 1;
    const group = { entries, waiters };
    [entries, waiters] = [[], []];
    try {
      const results = await commit(group.entries);
      assert(results.length === group.entries.length, 'a commit has a result for each entry');
      // The next group goes out before this one is answered: the disk works while callers run.
      goOn();
      for (const [index, { resolve }] of group.waiters.entries()) resolve(results[index] as R);
    } catch (error) {
      goOn();
      for (const { reject } of group.waiters) reject(error);
    }
  }

  return {
    add(entry) {
      const waiter = Promise.withResolvers<R>();
      entries.push(entry);
      waiters.push(waiter);
      if (!isGathering && underWay < underWayMax) gatherNext();
      return waiter.promise;
    },
  };
}
