import type { AskedFields } from '#contract/question.ts';
import { type Askers, createAskers } from './askers.ts';
import { createFairTurns, type TurnLimits } from './fair-turns.ts';
import type { ReportSite, Stops } from './ports.ts';

/** Questions, each of which asks a few statements: four are enough that the engine never waits for the next one. */
const TURN_LIMITS = {
  runningMax: 6,
  runningOfSiteMax: 4,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
} as const satisfies TurnLimits;
/** How long each who asks waits for a question to begin. */
const PATIENCE_MS = 15_000;

/** A question, of which `how` it is asked besides tells it from others. */
export type AskedQuestion<Asked = AskedFields, How = unknown> = {
  readonly site: ReportSite;
  readonly asked: Asked;
  readonly how: How;
};

/**
 * Resolves with what `work` answers to a question, in its turn.
 *
 * - `stops` says that who asks has left: this throws what it says. When nobody is left who waits for the answer, the
 *   question leaves its turn, or `work` is told.
 */
export type TakeQuestionTurn<Asked, How> = <Answer>(
  question: AskedQuestion<Asked, How>,
  work: (stops: Stops | undefined) => Promise<Answer>,
  stops?: Stops,
) => Promise<Answer>;

/** Turns for questions of all kinds together. */
export interface QuestionTurns {
  /** Those for one kind, which tells without the warehouse what it would refuse: that does not wait. */
  ofKind<Asked extends AskedFields, How = undefined>(
    isRefused: (question: AskedQuestion<Asked, How>) => boolean,
  ): TakeQuestionTurn<Asked, How>;
  /** Refuses questions that wait, and all that come later. */
  close(): void;
}

/**
 * Turns that questions take with all they do, from looking at what the site has to the answer. The same question,
 * asked again while it waits, waits with it for one answer. One that nobody waits for any more is stopped.
 *
 * - Why not only statements have turns (in-turns.ts): to make those of a hundred questions takes a tenth of a second,
 *   in which nothing else is accepted.
 * - Why only questions that wait are joined: nobody is told what was found before they asked.
 */
export function createQuestionTurns(patienceMs = PATIENCE_MS): QuestionTurns {
  const turns = createFairTurns(TURN_LIMITS);
  return {
    close: turns.close,
    ofKind<Asked extends AskedFields, How>(
      isRefused: (question: AskedQuestion<Asked, How>) => boolean,
    ): TakeQuestionTurn<Asked, How> {
      const waiting = new Map<string, Waiting>();
      return async <Answer>(
        question: AskedQuestion<Asked, How>,
        work: (stops: Stops | undefined) => Promise<Answer>,
        stops?: Stops,
      ) => {
        stops?.signal.throwIfAborted();
        const { site, asked, how } = question;
        const key = JSON.stringify([site, asked, how]);
        const same = waiting.get(key);
        if (same?.askers.isLeft === false) {
          return same.askers.waitFor(same.answer as Promise<Answer>, stops);
        }
        if (isRefused(question)) return work(stops);
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
