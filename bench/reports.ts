import type { Funnel } from '#contract/funnel.ts';
import type { Journeys } from '#contract/journeys.ts';
import type { Ltv } from '#contract/ltv.ts';
import type { Retention } from '#contract/retention.ts';
import type { Result } from '#domain/result.ts';
import type { Reports } from '#report/create-reports.ts';
import type { ReportSite } from '#report/ports.ts';

/** Asks one question about a period of so many days. */
export type Report = (
  questions: Reports,
  site: ReportSite,
  days: number,
) => Promise<Result<unknown, unknown>>;

const STEPS: Funnel['steps'] = [
  { type: 'page', path: '/page-0' },
  { type: 'page', path: '/page-1' },
  { type: 'goal', name: 'signup' },
  { type: 'payment' },
];
const GOOGLE = { filters: [['is', 'visit:source', ['Google']]] };
const BY_PAYMENT = { cohort: 'first_payment' } as const;
const BY_SOURCE = { group_by: 'visitor:first_source' };

const over = (site: ReportSite, days: number) => ({ site_id: site.id, date_range: `${days}d` });
const funnel =
  (more: Partial<Funnel>): Report =>
  ({ funnel }, site, days) =>
    funnel.answer(site, { ...over(site, days), steps: STEPS, within: { days: 7 }, ...more });
const journeys =
  (way: Partial<Journeys>): Report =>
  ({ journeys }, site, days) =>
    journeys.answer(site, { ...over(site, days), ...way });
const retention =
  (more: Partial<Retention>): Report =>
  ({ retention }, site, days) =>
    retention.answer(site, { ...over(site, days), ...more });
const ltv =
  (more: Partial<Ltv>): Report =>
  ({ ltv }, site, days) =>
    ltv.answer(site, { ...over(site, days), ...more });

/** What a site's people look at now and then, beside the dashboard. */
export const REPORTS: Readonly<Record<string, Report>> = {
  'funnel of four steps': funnel({}),
  'funnel in a visit': funnel({ within: 'visit' }),
  'funnel by source': funnel({ dimensions: ['visit:source'] }),
  'funnel by pattern': funnel({ steps: [{ type: 'page', path: '/page-1*' }, ...STEPS.slice(1)] }),
  'journeys from a page': journeys({ from: { type: 'page', path: '/page-0' } }),
  'journeys to a payment': journeys({ to: { type: 'payment' }, within: { days: 7 } }),
  'way to a purchase': ({ purchasePaths }, site, days) =>
    purchasePaths.answer(site, { ...over(site, days), dimensions: ['visit:source'] }),
  'retention by activity': retention({}),
  'retention of visitors': retention({ by: 'visitor' }),
  'retention by revenue': retention({ measure: 'revenue' }),
  'retention of one source': retention(GOOGLE),
  'customers who visit again': retention(BY_PAYMENT),
  'customers who pay again': retention({ ...BY_PAYMENT, measure: 'revenue', unit: 'month' }),
  'lifetime value by month': ltv({}),
  'lifetime value by source': ltv(BY_SOURCE),
  'of customers by source': ltv({ ...BY_SOURCE, ...BY_PAYMENT }),
  'recurring revenue': ({ mrr }, site, days) => mrr.answer(site, over(site, days)),
  'recurring revenue of one source': ({ mrr }, site, days) =>
    mrr.answer(site, { ...over(site, days), ...GOOGLE }),
};
