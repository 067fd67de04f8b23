import type { ReportSite, ReportStatement, ReportWarehouse, RunOptions, Stops } from '../ports.ts';
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
 * - Why not only statements ({@link scheduleStatements}): to make those of a hundred queries takes a tenth of
 *   a second, in which nothing else is accepted.
 * - Why only queries that wait are joined: no caller gets what was found before its request.
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

/** A query that is scheduled, and how many wait for its answer; `left` is aborted with the last of them. */
type Shared = {
  readonly answer: Promise<unknown>;
  readonly left: AbortController;
  readonly hasBegun: () => boolean;
  callers: number;
};

/** The answer to one more caller, who leaves with what the signal says, or out of patience. */
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

/** The warehouse as a site's queries may use it. */
export type WarehouseOf = (site: ReportSite) => ReportWarehouse;

/** Statements, of which a query has a few. A dashboard sends some thirty at once. */
const STATEMENT_LIMITS = {
  runningMax: 3,
  runningBesideOthersMax: 2,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
  waitMaxMs: 30_000, // The query has its turn: what it was let begin should come to an end.
} as const satisfies QueueLimits;

/**
 * The warehouse for queries of many sites, each statement in its turn.
 *
 * Why one for all kinds of queries: they share the engine, and so must share one queue.
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
