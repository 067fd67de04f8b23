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

/** Whether the page shows money: a shared link may hide it. */
export function hasMoney({ shared }: Pick<Site, 'shared'>): boolean {
  return shared?.revenue ?? true;
}

/** The {@link CARD_METRICS} shown for a site. */
export function cardMetricsOf(site: Pick<Site, 'shared'>): readonly MetricName[] {
  if (hasMoney(site)) return CARD_METRICS;
  const people: readonly string[] = SHARED_FIGURES.people;
  return CARD_METRICS.filter((metric) => people.includes(metric));
}
