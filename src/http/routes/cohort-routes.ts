import Type from 'typebox';
import { Ltv, LtvAnswer } from '#contract/ltv.ts';
import { Mrr, MrrAnswer } from '#contract/mrr.ts';
import { Retention, RetentionAnswer } from '#contract/retention.ts';
import type { Reports } from '#report/create-reports.ts';
import type { Server } from '../server/server-type.ts';
import { addReportRoute, type ReadRouteDeps } from './report-route.ts';

/** Routes of reports about cohorts: people who first came, paid or subscribed at some time. */
export function addCohortRoutes(
  server: Server,
  { retention, ltv, mrr }: Pick<Reports, 'retention' | 'ltv' | 'mrr'>,
  deps: ReadRouteDeps,
): void {
  addReportRoute(server, deps, {
    url: '/api/v1/query/retention',
    operationId: 'queryRetention',
    summary: 'Retention',
    description:
      'Weekly or monthly cohorts of visitors or customers, and how many of each visit or pay in the periods ' +
      'since (docs/reports.md).',
    asked: Retention,
    answer: Type.Object(RetentionAnswer.properties, { description: 'The answer.' }),
    kind: retention,
  });
  addReportRoute(server, deps, {
    url: '/api/v1/query/ltv',
    operationId: 'queryLtv',
    summary: 'Lifetime value',
    description:
      'What visitors or customers have paid by each month since the first visit or payment, by cohort or by ' +
      'a dimension of the first visit, such as its source (docs/reports.md).',
    asked: Ltv,
    answer: Type.Object(LtvAnswer.properties, { description: 'The answer.' }),
    kind: ltv,
  });
  addReportRoute(server, deps, {
    url: '/api/v1/query/mrr',
    operationId: 'queryMrr',
    summary: 'Monthly recurring revenue',
    description:
      'What subscriptions bring in a month, and how it changed: new, expansion, reactivated, contraction, ' +
      'churned (docs/reports.md).',
    asked: Mrr,
    answer: Type.Object(MrrAnswer.properties, { description: 'The answer.' }),
    kind: mrr,
  });
}
