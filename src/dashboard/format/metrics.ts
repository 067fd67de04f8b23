import type { Money } from '#contract/query-fields.ts';
import {
  formatCount,
  formatCountTick,
  formatDuration,
  formatExactMoney,
  formatMoney,
  formatMoneyTick,
  formatPercent,
  formatPercentTick,
  formatWhole,
} from './numbers.ts';

/** How a metric is formatted, and which way is good. */
export type MetricForm = {
  readonly label: string;
  readonly unit: 'count' | 'money' | 'percent' | 'duration' | 'number';
  /** Whether less is better. */
  readonly isLessBetter?: boolean;
};

/** The metrics the dashboard shows, by their names in the query API. */
export const METRIC_FORMS = {
  revenue: { label: 'Revenue', unit: 'money' },
  visitors: { label: 'Visitors', unit: 'count' },
  revenue_per_visitor: { label: 'Revenue / visitor', unit: 'money' },
  conversion_rate: { label: 'Conversion rate', unit: 'percent' },
  customers: { label: 'Customers', unit: 'count' },
  bounce_rate: { label: 'Bounce rate', unit: 'percent', isLessBetter: true },
  visit_duration: { label: 'Visit duration', unit: 'duration' },
  visits: { label: 'Visits', unit: 'count' },
  pageviews: { label: 'Pageviews', unit: 'count' },
  views_per_visit: { label: 'Views / visit', unit: 'number' },
  new_visitors: { label: 'New visitors', unit: 'count' },
  engagement_time: { label: 'Time on page', unit: 'duration' },
  scroll_depth: { label: 'Scroll depth', unit: 'percent' },
  events: { label: 'Events', unit: 'count' },
  conversions: { label: 'Conversions', unit: 'count' },
  gross_revenue: { label: 'Gross revenue', unit: 'money' },
  gross_new_revenue: { label: 'New revenue, gross', unit: 'money' },
  gross_renewal_revenue: { label: 'Renewals, gross', unit: 'money' },
  refunds: { label: 'Refunds', unit: 'money', isLessBetter: true },
  new_revenue: { label: 'New revenue', unit: 'money' },
  renewal_revenue: { label: 'Renewals', unit: 'money' },
  payments: { label: 'Payments', unit: 'count' },
  trials: { label: 'Trials', unit: 'count' },
  new_customers: { label: 'New customers', unit: 'count' },
  average_order_value: { label: 'Average order', unit: 'money' },
  revenue_per_customer: { label: 'Revenue / customer', unit: 'money' },
  time_to_purchase: { label: 'Time to purchase', unit: 'duration', isLessBetter: true },
  visits_to_purchase: { label: 'Visits to purchase', unit: 'number', isLessBetter: true },
} as const satisfies Readonly<Record<string, MetricForm>>;

/** A metric known to the dashboard. */
export type MetricName = keyof typeof METRIC_FORMS;

/** How a metric is shown. */
export function formOf(metric: MetricName): MetricForm {
  return METRIC_FORMS[metric];
}

/** Whether the dashboard knows this metric. */
export function isMetric(name: string): name is MetricName {
  return Object.hasOwn(METRIC_FORMS, name);
}

/** Formats a metric's value; money in a form that fits into so many digits. */
export function formatMetric(
  metric: MetricName,
  value: number | Money | null,
  room?: number,
): string {
  if (value === null || typeof value === 'object') return formatMoney(value, undefined, room);
  const { unit } = formOf(metric);
  if (unit === 'percent') return formatPercent(value);
  if (unit === 'duration') return formatDuration(value);
  return formatCount(value);
}

/** The same with every digit, for hover texts. */
export function formatExact(metric: MetricName, value: number | Money | null): string {
  if (value === null) return 'No value: nothing to divide by';
  if (typeof value === 'object') return formatExactMoney(value);
  const { unit } = formOf(metric);
  return unit === 'count' || unit === 'number' ? formatWhole(value) : formatMetric(metric, value);
}

/** Formats a metric's value compactly, for axis ticks. */
export function formatMetricTick(
  metric: MetricName,
  value: number,
  currency: string,
  locale?: string,
): string {
  const { unit } = formOf(metric);
  if (unit === 'money') return formatMoneyTick(value, currency, locale);
  if (unit === 'percent') return formatPercentTick(value, locale);
  if (unit === 'duration') return formatDuration(value).replace(/ 0 [smh]$/, '');
  return formatCountTick(value, locale);
}
