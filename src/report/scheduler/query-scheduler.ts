import type { AskedFields } from '#contract/query-fields.ts';
import type { ReportSite, Stops } from '../ports.ts';
import { createFairQueue, type QueueLimits } from './fair-queue.ts';
import { createWaiters, type Waiters } from './waiters.ts';

/** Queries, each of which asks a few statements: four are enough that the engine never waits for the next one. */
const QUEUE_LIMITS = {
  runningMax: 6,
  runningOfSiteMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
} as const satisfies QueueLimits;
/** How long each caller waits for a query to begin. */
const PATIENCE_MS = 15_000;

/** A query of a site, as it was sent. */
export type SentBySite<Sent = AskedFields> = { readonly site: ReportSite; readonly sent: Sent };

/**
 * Resolves with what `work` answers to a query, when it is scheduled.
 *
 * - `stops` says that the caller has left: this throws what it says. When no caller is left who waits for
 *   the answer, the query leaves its queue, or `work` is aborted.
 */
export type RunQuery<Sent> = <Answer>(
  query: SentBySite<Sent>,
  work: (stops: Stops | undefined) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Schedules queries of all kinds together. */
export interface QueryScheduler {
  /** Runs those of one kind, which tells without the warehouse what it would refuse: that does not wait. */
  ofKind<Sent extends AskedFields>(isRefused: (query: SentBySite<Sent>) => boolean): RunQuery<Sent>;
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
    ofKind<Sent extends AskedFields>(
      isRefused: (query: SentBySite<Sent>) => boolean,
    ): RunQuery<Sent> {
      const waiting = new Map<string, Waiting>();
      return async <Answer>(
        query: SentBySite<Sent>,
        work: (stops: Stops | undefined) => Promise<Answer>,
        stops?: Stops,
      ) => {
        stops?.signal.throwIfAborted();
        const key = JSON.stringify(query);
        const same = waiting.get(key);
        if (same?.waiters.isLeft === false) {
          return same.waiters.waitFor(same.answer as Promise<Answer>, stops);
        }
        if (isRefused(query)) return work(stops);
        const waiters = createWaiters(patienceMs);
        const forget = () => waiting.get(key)?.waiters === waiters && waiting.delete(key);
        const begin = () => {
          waiters.begin();
          forget();
          return work(waiters.stops);
        };
        const answer = queue.run(query.site.id, begin, waiters.stops.signal);
        if (!waiters.hasBegun) {
          waiting.set(key, { answer, waiters });
          answer.catch(forget);
        }
        return waiters.waitFor(answer, stops);
      };
    },
  };
}

type Waiting = { readonly answer: Promise<unknown>; readonly waiters: Waiters };
