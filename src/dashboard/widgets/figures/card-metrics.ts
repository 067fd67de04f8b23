import type { View } from '../../address/address.ts';
import type { ViewedSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { mayChartCosts } from './may-show-costs.ts';

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

const WITHOUT_MONEY = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly ShownMetric[];

/** A site's headline figures, in order; each can be the chart's line. */
export function cardMetricsOf(
  site: Pick<ViewedSite, 'has_payments' | 'has_costs'>,
  view: View,
): readonly ShownMetric[] {
  if (mayChartCosts(site, view)) return WITH_COSTS;
  return site.has_payments ? WITH_MONEY : WITHOUT_MONEY;
}
