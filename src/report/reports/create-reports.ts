import { randomBytes } from 'node:crypto';
import type { SentQuery } from '#contract/query.ts';
import type { InsightsAnswer } from '#contract/reports/insights.ts';
import { assert } from '#domain/assert.ts';
import type { RateSpan } from '#domain/money/rates/exchange-rates.ts';
import { createCombineSites } from '../combined/combine-sites.ts';
import { createExports } from '../exports/create-exports.ts';
import { findInsights } from '../insights/find-insights.ts';
import { createCountLive } from '../live/count-live.ts';
import type { ListPayments } from '../payments/list-payments.ts';
import { createListPersons, createListVisitors } from '../people/list-people.ts';
import type { PeopleLedger } from '../people/people-deps.ts';
import { createReadStory } from '../people/read-story.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { createBreakdowns } from '../query/answer/answer-query.ts';
import { createExpectedFacts } from '../query/answer/expected-facts.ts';
import type { FindOldRates } from '../query/answer/look-up.ts';
import { createReportKind } from '../query/answer/report-kind.ts';
import { createCursorSeal } from '../query/cursor.ts';
import { createQueryScheduler, scheduleStatements } from '../scheduler/query-scheduler.ts';
import { funnel } from './funnel.ts';
import { createJourneys } from './journeys/journeys.ts';
import { ltv } from './ltv.ts';
import { mrr } from './mrr.ts';
import { paymentPaths } from './purchase-paths.ts';
import { retention } from './retention.ts';

/** All kinds of queries. */
export type Reports = ReturnType<typeof createReports>;

/**
 * Creates all kinds of queries. `now`, in milliseconds UTC, decides what `today` means. `cursorKey` signs cursors;
 * without one, they end with the process.
 */
export function createReports(deps: {
  readonly warehouse: ReportWarehouse;
  readonly now: () => number;
  readonly cursorKey?: Uint8Array;
  readonly findOldRates?: FindOldRates;
  /** When which rate of a currency applies: for queries over several sites. */
  readonly spansOf?: (code: string) => readonly RateSpan[];
}) {
  const { now, cursorKey = randomBytes(32), spansOf = () => [] } = deps;
  const scheduler = createQueryScheduler();
  const parts = {
    ...{ now, scheduler },
    findOldRates: deps.findOldRates ?? (() => undefined),
    cursors: createCursorSeal(cursorKey),
    expected: createExpectedFacts(),
    warehouseOf: scheduleStatements(deps.warehouse),
  };
  const breakdowns = createBreakdowns(parts);
  return {
    breakdowns,
    combineSites: createCombineSites({ ...parts, breakdowns, spansOf }),
    countLive: createCountLive(parts),
    funnel: createReportKind(parts, funnel),
    /** What is worth knowing of a site's last week. */
    insights(site: ReportSite, stops?: Stops): Promise<InsightsAnswer> {
      const ask = async (query: SentQuery) => {
        const answer = await breakdowns.answer(site, query, stops);
        assert(answer.ok, 'insights ask only what can be answered');
        return answer.value;
      };
      return findInsights(ask, site, now());
    },
    journeys: createJourneys(parts),
    purchasePaths: createReportKind(parts, paymentPaths),
    retention: createReportKind(parts, retention),
    ltv: createReportKind(parts, ltv),
    mrr: createReportKind(parts, mrr),
    /** Creates the lists of people and the story of a person, with identities from a ledger. */
    people: (ledger: PeopleLedger) => ({
      visitors: createListVisitors({ ...parts, ledger }),
      persons: createListPersons({ ...parts, ledger }),
      story: createReadStory({ ...parts, ledger }),
    }),
    /** Creates the exports, with payments as they are listed. */
    exports: (ledger: PeopleLedger, payments: Pick<ListPayments, 'listAll'>) =>
      createExports(parts, { payments, persons: createListPersons({ ...parts, ledger }) }),
    /** Refuses waiting and new queries, because the service is shutting down. */
    close: scheduler.close,
  };
}
