import { COST_DIMENSIONS } from '#contract/reports/catalog.ts';
import type { View } from '../../address/address.ts';
import type { ViewedSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { chosenUnit, countDays } from './units.ts';

const WITH_MONEY = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'visits',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly ShownMetric[];

const WITH_COSTS = [
  'revenue',
  'cost',
  'roas',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'bounce_rate',
] as const satisfies readonly ShownMetric[];

/** What adds up over several sites. */
const COMBINED = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'customers',
  'visits',
  'pageviews',
] as const satisfies readonly ShownMetric[];

const WITHOUT_MONEY = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly ShownMetric[];

const COUNTED = ['visitors', 'visits', 'pageviews'] as const satisfies readonly ShownMetric[];

/** A site's headline figures, in order; each can be the chart's line. */
export function cardMetricsOf(
  site: Pick<ViewedSite, 'has_payments' | 'has_costs' | 'combined'>,
  view: View,
): readonly ShownMetric[] {
  if (site.combined !== undefined) return site.has_payments ? COMBINED : COUNTED;
  if (mayChartCosts(site, view)) return WITH_COSTS;
  return site.has_payments ? WITH_MONEY : WITHOUT_MONEY;
}

/** Up to this many days, the chart shows hours. */
const HOURLY_DAYS_MAX = 2;

/** Whether a site has costs that the view's filters leave: a cost has a source and no visit. */
export function mayShowCosts(
  { has_costs }: Pick<ViewedSite, 'has_costs'>,
  { filters }: View,
): boolean {
  return has_costs && filters.every(({ dimension }) => COST_DIMENSIONS.includes(dimension));
}

/** Whether the chart and its figures may, too: costs are known by day. */
export function mayChartCosts(site: Pick<ViewedSite, 'has_costs'>, view: View): boolean {
  const isHourly = (countDays(view) ?? Number.POSITIVE_INFINITY) <= HOURLY_DAYS_MAX;
  return mayShowCosts(site, view) && !isHourly && chosenUnit(view) !== 'hour';
}
