import type { AskedFields } from '#contract/query-fields.ts';
import type { ReportSite, Stops } from '../ports.ts';
import { createFairTurns, type TurnLimits } from './fair-queue.ts';
import { type Askers, createAskers } from './waiters.ts';

/** Queries, each of which asks a few statements: four are enough that the engine never waits for the next one. */
const TURN_LIMITS = {
  runningMax: 6,
  runningOfSiteMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
} as const satisfies TurnLimits;
/** How long each who asks waits for a query to begin. */
const PATIENCE_MS = 15_000;

/** A query, of which `how` it is asked besides tells it from others. */
export type AskedQuery<Asked = AskedFields, How = unknown> = {
  readonly site: ReportSite;
  readonly asked: Asked;
  readonly how: How;
};

/**
 * Resolves with what `work` answers to a query, in its turn.
 *
 * - `stops` says that who asks has left: this throws what it says. When nobody is left who waits for the answer, the
 *   query leaves its turn, or `work` is told.
 */
export type TakeQueryTurn<Asked, How> = <Answer>(
  query: AskedQuery<Asked, How>,
  work: (stops: Stops | undefined) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Turns for queries of all kinds together. */
export interface QueryScheduler {
  /** Those for one kind, which tells without the warehouse what it would refuse: that does not wait. */
  ofKind<Asked extends AskedFields, How = undefined>(
    isRefused: (query: AskedQuery<Asked, How>) => boolean,
  ): TakeQueryTurn<Asked, How>;
  /** Refuses queries that wait, and all that come later. */
  close(): void;
}

/**
 * Turns that queries take with all they do, from looking at what the site has to the answer. The same query,
 * asked again while it waits, waits with it for one answer. One that nobody waits for any more is stopped.
 *
 * - Why not only statements have turns (in-turns.ts): to make those of a hundred queries takes a tenth of a second,
 *   in which nothing else is accepted.
 * - Why only queries that wait are joined: nobody is told what was found before they asked.
 */
export function createQueryScheduler(patienceMs = PATIENCE_MS): QueryScheduler {
  const turns = createFairTurns(TURN_LIMITS);
  return {
    close: turns.close,
    ofKind<Asked extends AskedFields, How>(
      isRefused: (query: AskedQuery<Asked, How>) => boolean,
    ): TakeQueryTurn<Asked, How> {
      const waiting = new Map<string, Waiting>();
      return async <Answer>(
        query: AskedQuery<Asked, How>,
        work: (stops: Stops | undefined) => Promise<Answer>,
        stops?: Stops,
      ) => {
        stops?.signal.throwIfAborted();
        const { site, asked, how } = query;
        const key = JSON.stringify([site, asked, how]);
        const same = waiting.get(key);
        if (same?.askers.isLeft === false) {
          return same.askers.waitFor(same.answer as Promise<Answer>, stops);
        }
        if (isRefused(query)) return work(stops);
        const askers = createAskers(patienceMs);
        const forget = () => waiting.get(key)?.askers === askers && waiting.delete(key);
        const begin = () => {
          askers.begin();
          forget();
          return work(askers.stops);
        };
        const answer = turns.take(site.id, begin, askers.stops.signal);
        if (!askers.hasBegun) {
          waiting.set(key, { answer, askers });
          answer.catch(forget);
        }
        return askers.waitFor(answer, stops);
      };
    },
  };
}

type Waiting = { readonly answer: Promise<unknown>; readonly askers: Askers };
