import { createCountLive } from './live/count-live.ts';
import { createListPersons, createListVisitors } from './people/list-people.ts';
import type { PeopleLedger } from './people/people-deps.ts';
import { createReadStory } from './people/read-story.ts';
import type { ReportWarehouse } from './ports.ts';
import { createBreakdowns } from './query/answer-query.ts';
import { createExpectedFacts } from './query/plan/expected-facts.ts';
import { createKnownRates } from './query/plan/known-rates.ts';
import { funnel } from './reports/funnel.ts';
import { createJourneys } from './reports/journeys/journeys.ts';
import { ltv } from './reports/ltv.ts';
import { mrr } from './reports/mrr.ts';
import { paymentPaths } from './reports/purchase-paths.ts';
import { createReportKind } from './reports/report-kind.ts';
import { retention } from './reports/retention.ts';
import { createQueryScheduler, scheduleStatements } from './scheduler/query-scheduler.ts';

/** Every kind of query there is. */
export type Reports = ReturnType<typeof createReports>;

/** All queries about what the warehouse holds. `now` in milliseconds, UTC: where `today` is. */
export function createReports(deps: {
  readonly warehouse: ReportWarehouse;
  readonly now: () => number;
}) {
  const { now } = deps;
  const scheduler = createQueryScheduler();
  const parts = {
    ...{ now, scheduler },
    rates: createKnownRates(),
    expected: createExpectedFacts(),
    warehouseOf: scheduleStatements(deps.warehouse),
  };
  return {
    breakdowns: createBreakdowns(parts),
    countLive: createCountLive(parts),
    funnel: createReportKind(parts, funnel),
    journeys: createJourneys(parts),
    purchasePaths: createReportKind(parts, paymentPaths),
    retention: createReportKind(parts, retention),
    ltv: createReportKind(parts, ltv),
    mrr: createReportKind(parts, mrr),
    /** Lists of people, and the story of one, with what a ledger knows them by. */
    people: (ledger: PeopleLedger) => ({
      visitors: createListVisitors({ ...parts, ledger }),
      persons: createListPersons({ ...parts, ledger }),
      story: createReadStory({ ...parts, ledger }),
    }),
    /** Refuses queries that wait for their turn, and all that come later: the service ends. */
    close: scheduler.close,
  };
}
