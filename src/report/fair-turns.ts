import { UnavailableError } from '#domain/unavailable.ts';

/** How many may go on at once, how many may wait (of one site, and in all), and how long. */
export type TurnLimits = {
  readonly runningMax: number;
  readonly waitingOfSiteMax: number;
  readonly waitingMax: number;
  readonly waitMaxMs: number;
};

/** Turns for questions: sites that ask little do not wait for those that ask much. */
export interface FairTurns {
  /**
   * What `work` answers, when it is the site's turn. Throws {@link UnavailableError} when too many
   * wait, or it waited too long; what the signal says when that comes first.
   */
  take<T>(siteId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether nothing goes on or waits. */
  isQuiet(): boolean;
}

type Waiting = { readonly go: () => void };

/**
 * A queue for each site, of which one after the other is served.
 *
 * Why: a dashboard that asks a dozen questions, or a program that asks a thousand, must not keep
 * everybody else out, nor the engine from its writes.
 */
export function createFairTurns(limits: TurnLimits): FairTurns {
  /** Sites in the order of their next turn; a site that has nothing waiting is not there. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  function wait(siteId: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = queues.get(siteId) ?? [];
    if (queue.length >= limits.waitingOfSiteMax || waiting >= limits.waitingMax) throw busy();
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error) => {
        leave(siteId, entry);
        settle(() => reject(error));
      };
      const stop = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(busy()), limits.waitMaxMs);
      timer.unref();
      signal?.addEventListener('abort', stop);
      const settle = (how: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        how();
      };
      const entry: Waiting = { go: () => settle(resolve) };
      queue.push(entry);
      queues.set(siteId, queue);
      waiting += 1;
    });
  }

  function leave(siteId: string, entry: Waiting): void {
    const rest = (queues.get(siteId) ?? []).filter((other) => other !== entry);
    if (rest.length === 0) queues.delete(siteId);
    else queues.set(siteId, rest);
    waiting -= 1;
  }

  /** The turn goes on to the site that has waited for one the longest. */
  function passOn(): void {
    const [siteId, queue] = queues.entries().next().value ?? [];
    const next = queue?.shift();
    if (siteId === undefined || queue === undefined || next === undefined) {
      running -= 1;
      return;
    }
    waiting -= 1;
    queues.delete(siteId);
    if (queue.length > 0) queues.set(siteId, queue);
    next.go();
  }

  return {
    isQuiet: () => running === 0,
    async take(siteId, work, signal) {
      signal?.throwIfAborted();
      if (running < limits.runningMax) running += 1;
      else await wait(siteId, signal);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}

function busy(): UnavailableError {
  return new UnavailableError('Too many questions are being asked just now.', undefined, 2);
}
