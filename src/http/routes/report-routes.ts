import Type from 'typebox';
import { Funnel, FunnelAnswer } from '#contract/funnel.ts';
import { Journeys, JourneysAnswer } from '#contract/journeys.ts';
import { PurchasePaths, PurchasePathsAnswer } from '#contract/purchase-paths.ts';
import type { Reports } from '#report/create-reports.ts';
import type { Server } from '../server/server-type.ts';
import { addCohortRoutes } from './cohort-routes.ts';
import { addQueryRoutes } from './query.ts';
import { addReportRoute, type ReadRouteDeps } from './report-route.ts';

/** The routes of queries and of every report. */
export function addReportRoutes(server: Server, reports: Reports, deps: ReadRouteDeps): void {
  const { report, funnel, journeys, purchasePaths } = reports;
  addQueryRoutes(server, { ...deps, report });
  addCohortRoutes(server, reports, deps);
  addReportRoute(server, deps, {
    url: '/api/v1/query/funnel',
    operationId: 'queryFunnel',
    summary: 'Funnel',
    description:
      'Steps of pages, goals and payments, one after the other: how many come to each, how fast, and what ' +
      'those who come to the end pay (docs/reports.md).',
    asked: Funnel,
    answer: Type.Object(FunnelAnswer.properties, { description: 'The answer.' }),
    kind: funnel,
  });
  addReportRoute(server, deps, {
    url: '/api/v1/query/journeys',
    operationId: 'queryJourneys',
    summary: 'Journeys',
    description:
      'The most common ways from a page, goal or payment, or to one, with how many took them and what ' +
      'they pay (docs/reports.md).',
    asked: Journeys,
    answer: Type.Object(JourneysAnswer.properties, { description: 'The answer.' }),
    kind: journeys,
  });
  addReportRoute(server, deps, {
    url: '/api/v1/query/purchase-paths',
    operationId: 'queryPurchasePaths',
    summary: 'Time and visits to the first payment',
    description:
      'How much time and how many visits lie before the first payments of a period: medians, and ' +
      'customers and revenue by class (docs/reports.md).',
    asked: PurchasePaths,
    answer: Type.Object(PurchasePathsAnswer.properties, { description: 'The answer.' }),
    kind: purchasePaths,
  });
}
