import type { Static, TSchema } from 'typebox';
import { Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import type { QueryKind } from '#report/query/answer/query-kind.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { Server } from '#server/server-type.ts';
import { addBreakdownRoutes } from './query.ts';
import { accepted, addQueryRoute, type QueryAccess } from './report-route.ts';

/** A report: the schemas of query and answer, and its implementation. */
type Report<Asked extends TSchema> = readonly [
  asked: Asked,
  answer: TSchema,
  kind: QueryKind<Static<Asked>, unknown>,
];
/** What a report is about; a link to the docs is added to `shows`. */
type Described = { readonly summary: string; readonly shows: string };

/** Adds the routes of queries and of every report. */
export function addReportRoutes(server: Server, access: QueryAccess, reports: Reports): void {
  const { funnel, journeys, purchasePaths, retention, ltv, mrr } = reports;
  addBreakdownRoutes(server, access, reports.breakdowns);
  function add<Asked extends TSchema>(
    path: string,
    [asked, answer, kind]: Report<Asked>,
    { summary, shows }: Described,
  ): void {
    const name = path.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
    addQueryRoute(server, access, `POST /api/v1/query/${path}`, {
      operation: [`query${name}`, summary],
      description: `${shows}. See docs/reports.md.`,
      asked,
      answer,
      findMoreFaults: (...sent) => kind.findMoreFaults(...sent),
      respond: async (site, sent, { stops }) => accepted(await kind.answer(site, sent, stops)),
    });
  }

  add('funnel', [Funnel, FunnelAnswer, funnel], {
    summary: 'Query a funnel',
    shows:
      'Pages, goals and payments as ordered steps: how many people reach each step, how fast, and how much those who finish pay',
  });
  add('journeys', [Journeys, JourneysAnswer, journeys], {
    summary: 'Query journeys',
    shows:
      'The most common paths from, or to, a page, goal or payment, with the number of people and how much they pay',
  });
  add('purchase-paths', [PurchasePaths, PurchasePathsAnswer, purchasePaths], {
    summary: 'Query time and visits to the first payment',
    shows:
      'The time and the number of visits before customers’ first payments: medians, and a distribution of customers and revenue',
  });
  add('retention', [Retention, RetentionAnswer, retention], {
    summary: 'Query retention',
    shows:
      'Weekly or monthly cohorts of visitors or customers, and how many of each return or pay in later periods',
  });
  add('ltv', [Ltv, LtvAnswer, ltv], {
    summary: 'Query lifetime value',
    shows:
      'The amount paid by each month since the first visit or payment, by cohort or by a dimension of the first visit, such as its source',
  });
  add('mrr', [Mrr, MrrAnswer, mrr], {
    summary: 'Query monthly recurring revenue',
    shows:
      'Recurring revenue by month, and its movements: new, expansion, reactivated, contraction and churned',
  });
}
