import type { MetricName } from '../../format/metrics.ts';

/** The figures of the head of the page, in their order; each can be the line of the chart. */
export const CARD_METRICS = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly MetricName[];
