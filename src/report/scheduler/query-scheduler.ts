import type { ReportSite, Stops } from '../ports.ts';
import { busy, createFairQueue, type QueueLimits } from './fair-queue.ts';

/** Queries, each of a few statements: four are enough that the engine never waits for the next one. */
const QUEUE_LIMITS = {
  runningMax: 6,
  runningOfSiteMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
} as const satisfies QueueLimits;
/** How long each caller waits for a query to begin. */
const PATIENCE_MS = 15_000;

/**
 * Resolves with what `work` answers to a query of a site, when it is scheduled.
 *
 * - `stops` says that the caller has left: this throws what it says. When no caller is left who waits for
 *   the answer, the query leaves its queue, or `work` is aborted.
 */
export type RunQuery<Sent> = <Answer>(
  query: { readonly site: ReportSite; readonly sent: Sent },
  work: (stops: Stops) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Schedules queries of all kinds together. */
export interface QueryScheduler {
  /** Runs those of one kind. */
  ofKind<Sent>(): RunQuery<Sent>;
  /** Refuses queries that wait, and all that come later. */
  close(): void;
}

/**
 * Schedules queries whole, from looking at what the site has to the answer. Requests for a query that still
 * waits are coalesced into it. One that no caller waits for any more is aborted.
 *
 * - Why not only statements are scheduled (scheduled-warehouse.ts): to make those of a hundred queries takes
 *   a tenth of a second, in which nothing else is accepted.
 * - Why only queries that wait are joined: no caller gets what was found before they asked.
 */
export function createQueryScheduler(patienceMs = PATIENCE_MS): QueryScheduler {
  const queue = createFairQueue(QUEUE_LIMITS);
  return {
    close: queue.close,
    ofKind() {
      const waiting = new Map<string, Waiting>();
      return async (query, work, stops) => {
        stops?.signal.throwIfAborted();
        const key = JSON.stringify(query);
        const same = waiting.get(key);
        if (same?.waiters.left.aborted === false) {
          return same.waiters.waitFor(same.answer as ReturnType<typeof work>, stops);
        }
        const waiters = createWaiters(patienceMs);
        const forget = () => waiting.get(key)?.waiters === waiters && waiting.delete(key);
        const begin = () => {
          waiters.begin();
          forget();
          return work({ signal: waiters.left });
        };
        const answer = queue.run(query.site.id, begin, waiters.left);
        if (!waiters.hasBegun()) {
          waiting.set(key, { answer, waiters });
          answer.catch(forget);
        }
        return waiters.waitFor(answer, stops);
      };
    },
  };
}

type Waiting = { readonly answer: Promise<unknown>; readonly waiters: Waiters };
type Waiters = ReturnType<typeof createWaiters>;

/** The callers who wait for one answer, each so long for the query to begin. */
function createWaiters(patienceMs: number) {
  const left = new AbortController();
  let there = 0;
  let hasBegun = false;
  return {
    /** Aborts when the last caller has left. */
    left: left.signal,
    hasBegun: () => hasBegun,
    begin() {
      hasBegun = true;
    },
    /** One more caller, who leaves with what the signal says, or out of patience. */
    waitFor<Answer>(answer: Promise<Answer>, stops?: Stops): Promise<Answer> {
      there += 1;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const leave = (reason: unknown) => {
        end();
        reject(reason);
        there -= 1;
        if (there === 0) left.abort(reason);
      };
      const hangUp = () => leave(stops?.signal.reason);
      const timer = setTimeout(() => hasBegun || leave(busy()), patienceMs).unref();
      const end = () => {
        clearTimeout(timer);
        stops?.signal.removeEventListener('abort', hangUp);
      };
      stops?.signal.addEventListener('abort', hangUp);
      answer.then(resolve, reject).finally(end);
      return promise;
    },
  };
}
