import { UnavailableError } from '#domain/unavailable.ts';

/** How many may go on at once and how many may wait, of one site and in all, and how long. */
export type QueueLimits = {
  readonly runningMax: number;
  /** Fewer than in all, so that there is one for a site with few queries; as many when left out. */
  readonly runningOfSiteMax?: number;
  /** Fewer while other sites have queries, too, where one alone may have all. */
  readonly runningBesideOthersMax?: number;
  readonly waitingOfSiteMax: number;
  readonly waitingMax: number;
  /** Until the signal when left out. */
  readonly waitMaxMs?: number;
};

/** Turns for queries: sites with few do not wait for those with many. */
export interface FairQueue {
  /**
   * What `work` answers, when it is the site's turn. Throws {@link UnavailableError} when too many
   * wait, or it waited too long; what the signal says when that comes first.
   */
  run<T>(siteId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Refuses all that wait, and all that come later: nothing runs any more. */
  close(): void;
}

/** How long after queries of two sites both are taken to have more. */
const SEVERAL_FOR_MS = 10_000;

/**
 * A queue for each site, of which one after the other is served.
 *
 * Why: a dashboard with a dozen queries, or a program with a thousand, must not keep
 * everybody else out, nor the engine from its writes.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const { runningMax, runningOfSiteMax = runningMax, waitMaxMs } = limits;
  const { runningBesideOthersMax = runningOfSiteMax } = limits;
  /** Sites in the order of their next turn; a site that has nothing waiting is not there. */
  const queues = new Map<string, Set<PromiseWithResolvers<void>>>();
  /** The site of each that runs. */
  const running: string[] = [];
  let isClosed = false;
  let [lastSite, severalUntil] = ['', 0];

  function mayRun(siteId: string): boolean {
    const areSeveral = performance.now() < severalUntil;
    const ofSiteMax = areSeveral ? runningBesideOthersMax : runningOfSiteMax;
    const ofSite = running.filter((each) => each === siteId);
    return running.length < runningMax && ofSite.length < ofSiteMax;
  }

  function noteSite(siteId: string): void {
    if (siteId !== lastSite && lastSite !== '') severalUntil = performance.now() + SEVERAL_FOR_MS;
    lastSite = siteId;
  }

  /** Resolves when it is its turn. */
  async function wait(siteId: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = queues.get(siteId) ?? new Set();
    const waiting = queues.values().reduce((sum, { size }) => sum + size, 0);
    if (queue.size >= limits.waitingOfSiteMax || waiting >= limits.waitingMax) throw busy();
    const turn = Promise.withResolvers<void>();
    const stop = () => giveUp(siteId, turn, signal?.reason);
    const timer = waitMaxMs && setTimeout(() => giveUp(siteId, turn, busy()), waitMaxMs).unref();
    signal?.addEventListener('abort', stop);
    queues.set(siteId, queue.add(turn));
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  function giveUp(siteId: string, turn: PromiseWithResolvers<void>, error: unknown): void {
    leave(siteId, turn);
    turn.reject(error);
  }

  function leave(siteId: string, turn: PromiseWithResolvers<void>): void {
    const queue = queues.get(siteId);
    queue?.delete(turn);
    if (queue?.size === 0) queues.delete(siteId);
  }

  /** The turn goes on to the site that has waited for one the longest, of those that may have one more. */
  function passOn(): void {
    const [siteId, queue] = queues.entries().find(([each]) => mayRun(each)) ?? [];
    const [next] = queue ?? [];
    if (siteId === undefined || queue === undefined || next === undefined) return;
    queues.delete(siteId);
    queues.set(siteId, queue);
    leave(siteId, next);
    running.push(siteId);
    next.resolve();
  }

  return {
    close() {
      isClosed = true;
      for (const [siteId, queue] of queues) for (const turn of queue) giveUp(siteId, turn, busy());
    },
    async run(siteId, work, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw busy();
      noteSite(siteId);
      if (mayRun(siteId)) running.push(siteId);
      else await wait(siteId, signal);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        running.splice(running.indexOf(siteId), 1);
        passOn();
      }
    },
  };
}

/** The failure of a query that waited too long, or had no room to wait. */
export function busy(): UnavailableError {
  return new UnavailableError('Too many queries are running just now.', undefined, 2);
}
