import type { Static, TSchema } from 'typebox';
import { Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import type { Reports } from '#report/create-reports.ts';
import type { QueryKind } from '#report/query/query-kind.ts';
import type { Server } from '../server/server-type.ts';
import { addBreakdownRoutes } from './query.ts';
import {
  accepted,
  addQueryRoute,
  type QueryRoute,
  type ReadRouteDeps,
  toResponse,
} from './report-route.ts';

type ReportRoute<Asked extends TSchema> = Omit<QueryRoute<Asked>, 'findMoreFaults' | 'respond'> & {
  readonly kind: QueryKind<Static<Asked>, unknown>;
};

/** The routes of queries and of every report. */
export function addReportRoutes(server: Server, reports: Reports, deps: ReadRouteDeps): void {
  const { breakdowns, funnel, journeys, purchasePaths, retention, ltv, mrr } = reports;
  addBreakdownRoutes(server, breakdowns, deps);
  function addReport<Asked extends TSchema>({ kind, answer, ...route }: ReportRoute<Asked>): void {
    addQueryRoute(server, deps, {
      ...route,
      answer: toResponse(answer),
      findMoreFaults: (...asked) => kind.findMoreFaults(...asked),
      respond: async (site, asked, { stops }) => accepted(await kind.answer(site, asked, stops)),
    });
  }

  addReport({
    url: '/api/v1/query/funnel',
    operationId: 'queryFunnel',
    summary: 'Funnel',
    description:
      'Steps of pages, goals and payments, one after the other: how many come to each, how fast, and what ' +
      'those who come to the end pay (docs/reports.md).',
    asked: Funnel,
    answer: FunnelAnswer,
    kind: funnel,
  });
  addReport({
    url: '/api/v1/query/journeys',
    operationId: 'queryJourneys',
    summary: 'Journeys',
    description:
      'The most common ways from a page, goal or payment, or to one, with how many took them and what ' +
      'they pay (docs/reports.md).',
    asked: Journeys,
    answer: JourneysAnswer,
    kind: journeys,
  });
  addReport({
    url: '/api/v1/query/purchase-paths',
    operationId: 'queryPurchasePaths',
    summary: 'Time and visits to the first payment',
    description:
      'How much time and how many visits lie before the first payments of a period: medians, and ' +
      'customers and revenue by class (docs/reports.md).',
    asked: PurchasePaths,
    answer: PurchasePathsAnswer,
    kind: purchasePaths,
  });
  addReport({
    url: '/api/v1/query/retention',
    operationId: 'queryRetention',
    summary: 'Retention',
    description:
      'Weekly or monthly cohorts of visitors or customers, and how many of each visit or pay in the periods ' +
      'since (docs/reports.md).',
    asked: Retention,
    answer: RetentionAnswer,
    kind: retention,
  });
  addReport({
    url: '/api/v1/query/ltv',
    operationId: 'queryLtv',
    summary: 'Lifetime value',
    description:
      'What visitors or customers have paid by each month since the first visit or payment, by cohort or by ' +
      'a dimension of the first visit, such as its source (docs/reports.md).',
    asked: Ltv,
    answer: LtvAnswer,
    kind: ltv,
  });
  addReport({
    url: '/api/v1/query/mrr',
    operationId: 'queryMrr',
    summary: 'Monthly recurring revenue',
    description:
      'What subscriptions bring in a month, and how it changed: new, expansion, reactivated, contraction, ' +
      'churned (docs/reports.md).',
    asked: Mrr,
    answer: MrrAnswer,
    kind: mrr,
  });
}
