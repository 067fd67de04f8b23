import { SHARED_FIGURES } from '#contract/sites/share.ts';
import type { Site } from '../../account.ts';
import type { MetricName } from '../../format/metrics.ts';

/** The headline figures, in order; each can be the chart's line. */
export const CARD_METRICS = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'visits',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly MetricName[];

/** The {@link CARD_METRICS} shown for a site: a shared link may hide money. */
export function cardMetricsOf({ shared }: Pick<Site, 'shared'>): readonly MetricName[] {
  if (shared === undefined || shared.revenue) return CARD_METRICS;
  const people: readonly string[] = SHARED_FIGURES.people;
  return CARD_METRICS.filter((metric) => people.includes(metric));
}
