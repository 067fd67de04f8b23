import type { Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import type { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import type { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import type { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import type { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import { type CountLive, createCountLive } from './live/count-live.ts';
import { createListPeople, type ListPeople, type PeopleLedger } from './people/list-people.ts';
import { createTellStory, type TellStory } from './people/tell-story.ts';
import type { ReportWarehouse } from './ports.ts';
import { type Breakdowns, createBreakdowns } from './query/answer-query.ts';
import type { QueryKind } from './query/query-kind.ts';
import { funnel } from './reports/funnel/funnel.ts';
import { createJourneys } from './reports/journeys/journeys.ts';
import { ltv } from './reports/ltv/ltv.ts';
import { mrr } from './reports/mrr/mrr.ts';
import { paymentPaths } from './reports/purchase-paths/purchase-paths.ts';
import { createReportKind } from './reports/report-kind.ts';
import { retention } from './reports/retention/retention.ts';
import { createQueryScheduler } from './scheduler/query-scheduler.ts';
import { scheduleStatements } from './scheduler/scheduled-warehouse.ts';

/** Every kind of query there is. */
export type Reports = {
  readonly breakdowns: Breakdowns;
  readonly countLive: CountLive;
  readonly funnel: QueryKind<Funnel, FunnelAnswer>;
  readonly journeys: QueryKind<Journeys, JourneysAnswer>;
  readonly purchasePaths: QueryKind<PurchasePaths, PurchasePathsAnswer>;
  /** Lists of people, and their stories, with what a ledger knows them by. */
  listPeopleOf(ledger: PeopleLedger): ListPeople;
  readonly retention: QueryKind<Retention, RetentionAnswer>;
  readonly ltv: QueryKind<Ltv, LtvAnswer>;
  readonly mrr: QueryKind<Mrr, MrrAnswer>;
  tellStoryOf(ledger: PeopleLedger): TellStory;
  /** Refuses those that wait for their turn, and all that come later: the service ends. */
  close(): void;
};

/** All queries about what the warehouse holds. `now` in milliseconds, UTC: where `today` is. */
export function createReports(deps: {
  readonly warehouse: ReportWarehouse;
  readonly now: () => number;
}): Reports {
  const { now } = deps;
  const scheduler = createQueryScheduler();
  const parts = { now, scheduler, warehouseOf: scheduleStatements(deps.warehouse) };
  return {
    breakdowns: createBreakdowns(parts),
    countLive: createCountLive(parts),
    funnel: createReportKind(parts, funnel),
    journeys: createJourneys(parts),
    purchasePaths: createReportKind(parts, paymentPaths),
    listPeopleOf: (ledger) => createListPeople({ ...parts, ledger }),
    retention: createReportKind(parts, retention),
    ltv: createReportKind(parts, ltv),
    mrr: createReportKind(parts, mrr),
    close: scheduler.close,
    tellStoryOf: (ledger) => createTellStory({ ...parts, ledger }),
  };
}
