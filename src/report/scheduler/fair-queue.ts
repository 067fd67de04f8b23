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

type Waiting = { readonly go: () => void; readonly giveUp: (error: Error) => void };

/**
 * A queue for each site, of which one after the other is served.
 *
 * Why: a dashboard with a dozen queries, or a program with a thousand, must not keep
 * everybody else out, nor the engine from its writes.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  /** Sites in the order of their next turn; a site that has nothing waiting is not there. */
  const queues = new Map<string, Waiting[]>();
  const runningBySite = new Map<string, number>();
  const { runningMax, runningOfSiteMax = runningMax } = limits;
  const { runningBesideOthersMax = runningOfSiteMax } = limits;
  let running = 0;
  let waiting = 0;
  let isClosed = false;
  let [lastSite, severalUntil] = ['', 0];

  function mayRun(siteId: string): boolean {
    const areSeveral = performance.now() < severalUntil;
    const ofSiteMax = areSeveral ? runningBesideOthersMax : runningOfSiteMax;
    return running < runningMax && (runningBySite.get(siteId) ?? 0) < ofSiteMax;
  }

  function noteSite(siteId: string): void {
    if (siteId !== lastSite && lastSite !== '') severalUntil = performance.now() + SEVERAL_FOR_MS;
    lastSite = siteId;
  }

  function count(siteId: string, more: 1 | -1): void {
    running += more;
    const ofSite = (runningBySite.get(siteId) ?? 0) + more;
    if (ofSite === 0) runningBySite.delete(siteId);
    else runningBySite.set(siteId, ofSite);
  }

  function wait(siteId: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = queues.get(siteId) ?? [];
    if (queue.length >= limits.waitingOfSiteMax || waiting >= limits.waitingMax) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const entry: Waiting = {
      go() {
        end();
        resolve();
      },
      giveUp(error) {
        end();
        leave(siteId, entry);
        reject(error);
      },
    };
    const stop = () => entry.giveUp(signal?.reason);
    const { waitMaxMs } = limits;
    const timer = waitMaxMs && setTimeout(() => entry.giveUp(busy()), waitMaxMs).unref();
    signal?.addEventListener('abort', stop);
    queues.set(siteId, [...queue, entry]);
    waiting += 1;
    return promise;
  }

  function leave(siteId: string, entry: Waiting): void {
    const rest = (queues.get(siteId) ?? []).filter((other) => other !== entry);
    if (rest.length === 0) queues.delete(siteId);
    else queues.set(siteId, rest);
    waiting -= 1;
  }

  /** The turn goes on to the site that has waited for one the longest, of those that may have one more. */
  function passOn(): void {
    const [siteId = '', [next, ...rest] = []] =
      queues.entries().find(([each]) => mayRun(each)) ?? [];
    if (next === undefined) return;
    waiting -= 1;
    queues.delete(siteId);
    if (rest.length > 0) queues.set(siteId, rest);
    count(siteId, 1);
    next.go();
  }

  return {
    close() {
      isClosed = true;
      for (const { giveUp } of [...queues.values()].flat()) giveUp(busy());
    },
    async run(siteId, work, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw busy();
      noteSite(siteId);
      if (mayRun(siteId)) count(siteId, 1);
      else await wait(siteId, signal);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        count(siteId, -1);
        passOn();
      }
    },
  };
}

/** The failure of a query that waited too long, or had no room to wait. */
export function busy(): UnavailableError {
  return new UnavailableError('Too many queries are being asked just now.', undefined, 2);
}
