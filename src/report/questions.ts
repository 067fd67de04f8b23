import type { Fault } from '#contract/fault.ts';
import type { Funnel, FunnelAnswer } from '#contract/funnel.ts';
import type { Journeys, JourneysAnswer } from '#contract/journeys.ts';
import type { Ltv, LtvAnswer } from '#contract/ltv.ts';
import type { Mrr, MrrAnswer } from '#contract/mrr.ts';
import type { PurchasePaths, PurchasePathsAnswer } from '#contract/purchase-paths.ts';
import type { Retention, RetentionAnswer } from '#contract/retention.ts';
import type { Result } from '#domain/result.ts';
import { createReport, type Report } from './answer-query.ts';
import { createFunnel } from './funnel/answer-funnel.ts';
import { inTurns } from './in-turns.ts';
import { createJourneys } from './journeys/answer-journeys.ts';
import { type CountLive, createCountLive } from './live/count-live.ts';
import { createLtv } from './ltv/answer-ltv.ts';
import { createMrr } from './mrr/answer-mrr.ts';
import { createListPeople, type ListPeople, type PeopleLedger } from './people/list-people.ts';
import { createTellStory, type TellStory } from './people/tell-story.ts';
import type { ReportSite, ReportWarehouse, Stops } from './ports.ts';
import { createPurchasePaths } from './purchase-paths/answer-purchase-paths.ts';
import { createQuestionTurns } from './question-turns.ts';
import type { Refusal } from './refusal.ts';
import { createRetention } from './retention/answer-retention.ts';

/** One kind of question beside {@link Report}: `Asked` has the form that the contract says. */
export interface QuestionKind<Asked, Answer> {
  /**
   * Refuses names that are not there and combinations without a meaning, with every fault. Throws when
   * the warehouse does not answer, and when it is stopped while nobody else waits for the same.
   */
  answer(site: ReportSite, asked: Asked, stops?: Stops): Promise<Result<Answer, Refusal>>;
  /** What else is wrong with a body that has these faults of form, as far as one can tell. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

/** Every kind of question there is. */
export type Questions = {
  readonly report: Report;
  readonly countLive: CountLive;
  readonly funnel: QuestionKind<Funnel, FunnelAnswer>;
  readonly journeys: QuestionKind<Journeys, JourneysAnswer>;
  readonly purchasePaths: QuestionKind<PurchasePaths, PurchasePathsAnswer>;
  /** Lists of people, and their stories, with what a ledger knows them by. */
  listPeopleOf(ledger: PeopleLedger): ListPeople;
  readonly retention: QuestionKind<Retention, RetentionAnswer>;
  readonly ltv: QuestionKind<Ltv, LtvAnswer>;
  readonly mrr: QuestionKind<Mrr, MrrAnswer>;
  tellStoryOf(ledger: PeopleLedger): TellStory;
  /** Refuses those that wait for their turn, and all that come later: the service ends. */
  close(): void;
};

/** All questions about what the warehouse holds. `now` in milliseconds, UTC: where `today` is. */
export function createQuestions(deps: {
  readonly warehouse: ReportWarehouse;
  readonly now: () => number;
}): Questions {
  const { now } = deps;
  const turns = createQuestionTurns();
  const parts = { now, turns, warehouseOf: inTurns(deps.warehouse) };
  return {
    report: createReport(parts),
    countLive: createCountLive(parts),
    funnel: createFunnel(parts),
    journeys: createJourneys(parts),
    purchasePaths: createPurchasePaths(parts),
    listPeopleOf: (ledger) => createListPeople({ ...parts, ledger }),
    retention: createRetention(parts),
    ltv: createLtv(parts),
    mrr: createMrr(parts),
    close: turns.close,
    tellStoryOf: (ledger) => createTellStory({ ...parts, ledger }),
  };
}
