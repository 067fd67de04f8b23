import type { Static, TSchema } from 'typebox';
import { Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import type { QueryKind } from '#report/query/query-kind.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';
import { addBreakdownRoutes } from './query.ts';
import { accepted, addQueryRoute, toResponse } from './report-route.ts';

/** A report: its path and name, the forms of query and answer, and what answers it. */
type Report<Asked extends TSchema> = {
  readonly path: string;
  readonly summary: string;
  /** What it shows; where it is documented is added. */
  readonly shows: string;
  readonly forms: readonly [asked: Asked, answer: TSchema];
  readonly kind: QueryKind<Static<Asked>, unknown>;
};

/** The routes of queries and of every report. */
export function addReportRoutes(server: Server, deps: ReadDeps): void {
  const { funnel, journeys, purchasePaths, retention, ltv, mrr } = deps.reports;
  addBreakdownRoutes(server, deps);
  function add<Asked extends TSchema>({ path, summary, shows, forms, kind }: Report<Asked>): void {
    const [asked, answer] = forms;
    const name = path.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
    addQueryRoute(server, deps, {
      url: `/api/v1/query/${path}`,
      operationId: `query${name}`,
      summary,
      description: `${shows} (docs/reports.md).`,
      asked,
      answer: toResponse(answer),
      findMoreFaults: (...sent) => kind.findMoreFaults(...sent),
      respond: async (site, sent, { stops }) => accepted(await kind.answer(site, sent, stops)),
    });
  }

  add({
    path: 'funnel',
    summary: 'Funnel',
    shows:
      'Steps of pages, goals and payments, one after the other: how many come to each, how fast, and what ' +
      'those who come to the end pay',
    forms: [Funnel, FunnelAnswer],
    kind: funnel,
  });
  add({
    path: 'journeys',
    summary: 'Journeys',
    shows:
      'The most common ways from a page, goal or payment, or to one, with how many took them and what ' +
      'they pay',
    forms: [Journeys, JourneysAnswer],
    kind: journeys,
  });
  add({
    path: 'purchase-paths',
    summary: 'Time and visits to the first payment',
    shows:
      'How much time and how many visits lie before the first payments of a period: medians, and ' +
      'customers and revenue by class',
    forms: [PurchasePaths, PurchasePathsAnswer],
    kind: purchasePaths,
  });
  add({
    path: 'retention',
    summary: 'Retention',
    shows:
      'Weekly or monthly cohorts of visitors or customers, and how many of each visit or pay in the periods ' +
      'since',
    forms: [Retention, RetentionAnswer],
    kind: retention,
  });
  add({
    path: 'ltv',
    summary: 'Lifetime value',
    shows:
      'What visitors or customers have paid by each month since the first visit or payment, by cohort or by ' +
      'a dimension of the first visit, such as its source',
    forms: [Ltv, LtvAnswer],
    kind: ltv,
  });
  add({
    path: 'mrr',
    summary: 'Monthly recurring revenue',
    shows:
      'What subscriptions bring in a month, and how it changed: new, expansion, reactivated, contraction, ' +
      'churned',
    forms: [Mrr, MrrAnswer],
    kind: mrr,
  });
}
