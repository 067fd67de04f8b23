/** Takes entries one by one, and answers each when the group it went into is committed. */
export interface GroupCommit<T, R> {
  /** The commit's result for this entry. Rejects with the commit's error when its group failed. */
  add(entry: T): Promise<R>;
}

/**
 * One commit at a time for as many entries as have come in: the first entry is committed at once,
 * and whatever is added while a commit is under way makes up the next group.
 *
 * - Shape: `commit` answers one result for each entry of its group, in the same order. A failed
 *   commit rejects its own group and no other; the next group is tried as usual.
 * - `gather` may put off the first commit after a rest, so that more entries get into its group.
 * - Why: an fsync costs the same for one entry and for a thousand. Under load the groups grow to
 *   fit; when idle an entry waits for nothing. There is no timer to tune.
 */
export function createGroupCommit<T, R>(
  commit: (group: readonly T[]) => Promise<readonly R[]>,
  gather: (begin: () => void) => void = (begin) => begin(),
): GroupCommit<T, R> {
  let waiting: Group<T, R> = { entries: [], waiters: [] };
  let committing = false;

  function gatherFirst(): void {
    committing = true;
    gather(commitNext);
  }

  /** What has gathered during a commit waits for nothing more. */
  function goOn(): void {
    committing = waiting.entries.length > 0;
    if (committing) commitNext();
  }

  function commitNext(): void {
    const { entries, waiters } = waiting;
    waiting = { entries: [], waiters: [] };
    // The next group goes out before this one is answered: the disk works while callers run.
    commitWhole(entries, commit).then(
      (results) => {
        goOn();
        for (let index = 0; index < waiters.length; index += 1) {
          waiters[index]?.resolve(results[index] as R);
        }
      },
      (error) => {
        goOn();
        for (const waiter of waiters) waiter.reject(error);
      },
    );
  }

  return {
    add: (entry) =>
      new Promise<R>((resolve, reject) => {
        waiting.entries.push(entry);
        waiting.waiters.push({ resolve, reject });
        if (!committing) gatherFirst();
      }),
  };
}

type Group<T, R> = { readonly entries: T[]; readonly waiters: Waiter<R>[] };

type Waiter<R> = {
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
};

/** The results of the commit, one an entry. Rejects whether the commit throws, rejects or miscounts. */
async function commitWhole<T, R>(
  entries: readonly T[],
  commit: (group: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const results = await commit(entries);
  if (results.length !== entries.length) {
    throw new Error(`A commit of ${entries.length} entries answered ${results.length} results.`);
  }
  return results;
}
