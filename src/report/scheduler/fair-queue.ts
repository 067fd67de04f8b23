import { UnavailableError } from '#domain/unavailable.ts';

/** Limits of running and waiting work, per site and in total, and of waiting time. */
export type QueueLimits = {
  readonly runningMax: number;
  /** Below the total, so that a slot stays free for other sites. Default: the total. */
  readonly runningOfSiteMax?: number;
  /** Limit per site while several sites have queries. A single active site may use all slots. */
  readonly runningBesideOthersMax?: number;
  readonly waitingOfSiteMax: number;
  readonly waitingMax: number;
  /** Default: until the signal aborts. */
  readonly waitMaxMs?: number;
};

/** A fair queue: sites with few queries do not wait for sites with many. */
interface FairQueue {
  /**
   * Runs `work` when it is the site's turn, and returns its result. Throws {@link UnavailableError} if the queue is
   * full or the wait times out, and the signal's reason if it aborts first.
   */
  run<T>(siteId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Refuses waiting and new work. Nothing runs any more. */
  close(): void;
}

/** How long two sites count as active after their last queries. */
const SEVERAL_FOR_MS = 10_000;

/**
 * Creates a queue per site, served round-robin.
 *
 * Why: a dashboard with a dozen queries, or a program with a thousand, must not block other sites or the engine's
 * writes.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const { runningMax, runningOfSiteMax = runningMax, waitMaxMs } = limits;
  const { runningBesideOthersMax = runningOfSiteMax } = limits;
  /** Sites with waiting work, in the order of their next turn. */
  const queues = new Map<string, Set<PromiseWithResolvers<void>>>();
  /** The site of each running item. */
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

  /** Resolves when the turn comes. */
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

  /** Gives the turn to the site that has waited longest among those below their limit. */
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

/** The error of a query that timed out in the queue or found it full. */
export function busy(): UnavailableError {
  return new UnavailableError('Too many queries are running right now.', undefined, 2);
}
