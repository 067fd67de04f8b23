import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/question.ts';
import { createFairTurns, type TurnLimits } from './fair-turns.ts';
import type { ReportSite, Stops } from './ports.ts';

/** Questions, each of which asks a few statements: enough that the engine never waits for the next one. */
const TURN_LIMITS = {
  runningMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
  waitMaxMs: 15_000,
} as const satisfies TurnLimits;

/** A question, of which `how` it is asked besides tells it from others. */
export type AskedQuestion = {
  readonly site: ReportSite;
  readonly asked: AskedFields;
  readonly how?: unknown;
};

/**
 * Resolves with what `work` answers to a question, in its turn.
 *
 * - `stops` says that who asks has left: this throws what it says. When nobody is left who waits for the answer, the
 *   question leaves its turn, or `work` is told.
 */
export type TakeQuestionTurn = <Answer>(
  question: AskedQuestion,
  work: (stops: Stops | undefined) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Turns for questions of all kinds together. */
export interface QuestionTurns {
  /** Those for one kind, of which one can tell without the warehouse what will be refused: that does not wait. */
  ofKind(kind: {
    findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
  }): TakeQuestionTurn;
}

/**
 * Turns that questions take with all they do, from looking at what the site has to the answer. The same question,
 * asked again while it waits, waits with it for one answer. One that nobody waits for any more is stopped.
 *
 * - Why not only statements have turns (in-turns.ts): to make those of a hundred questions takes a tenth of a second,
 *   in which nothing else is accepted.
 * - Why only questions that wait are joined: nobody is told what was found before they asked.
 */
export function createQuestionTurns(): QuestionTurns {
  const turns = createFairTurns(TURN_LIMITS);
  return {
    ofKind({ findMoreFaults }) {
      type Waiting = { readonly answer: Promise<unknown>; readonly askers: Askers };
      const waiting = new Map<string, Waiting>();
      function findAnswer<Answer>(
        { site, asked, how }: AskedQuestion,
        work: (stops: Stops | undefined) => Promise<Answer>,
        stops: Stops | undefined,
      ): Promise<Answer> {
        const key = JSON.stringify([site, asked, how]);
        const same = waiting.get(key);
        if (same?.askers.join(stops)) return same.answer as Promise<Answer>;
        // When a site's time begins only the warehouse knows.
        const isRefused = asked.date_range !== 'all' && findMoreFaults(site, asked, []).length > 0;
        if (isRefused) return work(stops);
        const askers = createAskers(stops);
        let hasBegun = false;
        const begin = () => {
          hasBegun = true;
          waiting.delete(key);
          return work(askers.stops);
        };
        const answer = turns.take(site.id, begin, askers.stops.signal);
        if (hasBegun) return answer;
        const question = { answer, askers };
        waiting.set(key, question);
        answer.catch(() => waiting.get(key) === question && waiting.delete(key));
        return answer;
      }
      return async (question, work, stops) => {
        stops?.signal.throwIfAborted();
        const answer = await findAnswer(question, work, stops);
        stops?.signal.throwIfAborted(); // It was found for others.
        return answer;
      };
    },
  };
}

/** Those who wait for one answer. */
type Askers = {
  /** Stops it when the last of them has left. */
  readonly stops: Stops;
  /** Whether one more may wait with them, who leaves when told to: not when all have left. */
  join(leaves: Stops | undefined): boolean;
};

function createAskers(first: Stops | undefined): Askers {
  const left = new AbortController();
  let there = 0;
  const askers: Askers = {
    stops: { signal: left.signal },
    join(leaves) {
      if (left.signal.aborted) return false;
      there += 1;
      leaves?.signal.addEventListener('abort', () => {
        there -= 1;
        if (there === 0) left.abort(leaves.signal.reason);
      });
      return true;
    },
  };
  askers.join(first);
  return askers;
}
