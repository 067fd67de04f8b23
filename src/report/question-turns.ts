import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/question.ts';
import { createFairTurns, type TurnLimits } from './fair-turns.ts';
import type { ReportSite } from './ports.ts';

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

/** Resolves with what `work` answers to a question, in its turn. */
export type TakeQuestionTurn = <Answer>(
  question: AskedQuestion,
  work: () => Promise<Answer>,
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
 * asked again while it waits, waits with it for one answer.
 *
 * - Why not only statements have turns (in-turns.ts): to make those of a hundred questions takes a tenth of a second,
 *   in which nothing else is accepted.
 * - Why only questions that wait are joined: nobody is told what was found before they asked.
 */
export function createQuestionTurns(): QuestionTurns {
  const turns = createFairTurns(TURN_LIMITS);
  return {
    ofKind({ findMoreFaults }) {
      const waiting = new Map<string, Promise<unknown>>();
      return <Answer>({ site, asked, how }: AskedQuestion, work: () => Promise<Answer>) => {
        const key = JSON.stringify([site, asked, how]);
        const same = waiting.get(key) as Promise<Answer> | undefined;
        if (same !== undefined) return same;
        // When a site's time begins only the warehouse knows.
        if (asked.date_range !== 'all' && findMoreFaults(site, asked, []).length > 0) return work();
        let hasBegun = false;
        const answer = turns.take(site.id, () => {
          hasBegun = true;
          waiting.delete(key);
          return work();
        });
        if (hasBegun) return answer;
        waiting.set(key, answer);
        answer.catch(() => hasBegun || waiting.delete(key));
        return answer;
      };
    },
  };
}
