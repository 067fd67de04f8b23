import type { ReportSite, ReportStatement, ReportWarehouse, RunOptions, Stops } from '../ports.ts';
import { busy, createFairQueue, type QueueLimits } from './fair-queue.ts';

/** Concurrent queries, each of a few statements. Four are enough to keep the engine busy. */
const QUEUE_LIMITS = {
  runningMax: 6,
  runningOfSiteMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
} as const satisfies QueueLimits;
/** How long a caller waits for a query to start. */
const PATIENCE_MS = 15_000;

/**
 * Schedules a query of a site and resolves with the result of `work`.
 *
 * - When `stops` aborts because the caller has disconnected, it throws the signal's reason. Once no caller waits any
 *   more, the query leaves its queue, or `work` is aborted.
 */
type RunQuery<Sent> = <Answer>(
  query: { readonly site: ReportSite; readonly sent: Sent },
  work: (stops: Stops) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Schedules queries of all kinds together. */
export interface QueryScheduler {
  /** Returns a function that runs queries of one kind. */
  ofKind<Sent>(): RunQuery<Sent>;
  /** Refuses waiting and new queries. */
  close(): void;
}

/**
 * Schedules whole queries, from the lookups of the plan to the answer. Equal queries that still wait are coalesced. A
 * query without waiting callers is aborted.
 *
 * - Why not only statements ({@link scheduleStatements}): creating the statements of a hundred queries takes a tenth of
 *   a second, during which nothing else is accepted.
 * - Why only waiting queries are coalesced: no caller may get a result from before its request.
 */
export function createQueryScheduler(patienceMs = PATIENCE_MS): QueryScheduler {
  const queue = createFairQueue(QUEUE_LIMITS);
  return {
    close: queue.close,
    ofKind() {
      const queries = new Map<string, Shared>();
      return async (query, work, stops) => {
        stops?.signal.throwIfAborted();
        const key = JSON.stringify(query);
        const same = queries.get(key);
        if (same?.hasBegun() === false && !same.left.signal.aborted) {
          return waitFor(same, patienceMs, stops) as ReturnType<typeof work>;
        }
        let hasBegun = false;
        const left = new AbortController();
        const begin = () => {
          hasBegun = true;
          return work(left);
        };
        const answer = queue.run(query.site.id, begin, left.signal);
        const shared = { answer, left, hasBegun: () => hasBegun, callers: 0 };
        const forget = () => queries.get(key) === shared && queries.delete(key);
        queries.set(key, shared);
        answer.then(forget, forget);
        return waitFor(shared, patienceMs, stops) as ReturnType<typeof work>;
      };
    },
  };
}

/** A scheduled query and its number of waiting callers. `left` aborts when the last one disconnects. */
type Shared = {
  readonly answer: Promise<unknown>;
  readonly left: AbortController;
  readonly hasBegun: () => boolean;
  callers: number;
};

/** Adds a caller, who leaves when the signal aborts or the wait times out. */
async function waitFor(shared: Shared, patienceMs: number, stops?: Stops): Promise<unknown> {
  shared.callers += 1;
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const leave = (reason: unknown) => {
    reject(reason);
    shared.callers -= 1;
    if (shared.callers === 0) shared.left.abort(reason);
  };
  const hangUp = () => leave(stops?.signal.reason);
  const timer = setTimeout(() => shared.hasBegun() || leave(busy()), patienceMs).unref();
  stops?.signal.addEventListener('abort', hangUp);
  try {
    return await Promise.race([shared.answer, gone]);
  } finally {
    clearTimeout(timer);
    stops?.signal.removeEventListener('abort', hangUp);
  }
}

/** The warehouse, as the queries of one site may use it. */
export type WarehouseOf = (site: ReportSite) => ReportWarehouse;

/** Limits of statements. A query has a few of them; a dashboard sends about thirty at once. */
const STATEMENT_LIMITS = {
  runningMax: 3,
  runningBesideOthersMax: 2,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
  waitMaxMs: 30_000, // Generous, because a query that has started should also finish.
} as const satisfies QueueLimits;

/**
 * Wraps the warehouse so that the statements of all sites take fair turns.
 *
 * Why one queue for all kinds of queries: they share the engine.
 */
export function scheduleStatements(warehouse: ReportWarehouse): WarehouseOf {
  const queue = createFairQueue(STATEMENT_LIMITS);
  return (site) => ({
    select: <Row>(statement: ReportStatement, options?: Partial<RunOptions>) =>
      queue.run(site.id, () => warehouse.select<Row>(statement, options), options?.signal),
    selectFile: (statement, format, options) =>
      queue.run(site.id, () => warehouse.selectFile(statement, format, options), options?.signal),
  });
}
