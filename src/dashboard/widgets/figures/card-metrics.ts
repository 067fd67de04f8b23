import type { ViewedSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';

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

const WITHOUT_MONEY = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly ShownMetric[];

/** A site's headline figures, in order; each can be the chart's line. */
export function cardMetricsOf({
  has_payments,
}: Pick<ViewedSite, 'has_payments'>): readonly ShownMetric[] {
  return has_payments ? WITH_MONEY : WITHOUT_MONEY;
}
