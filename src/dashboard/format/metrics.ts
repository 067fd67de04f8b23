import type { Money } from '#contract/query-fields.ts';
import { METRIC_FORMS, type MetricForm } from '#contract/reports/catalog.ts';
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

/** The metrics that the dashboard shows, the most important first. Shares are the widths of its bars. */
const { percentage: _, ...SHOWN } = METRIC_FORMS;

/** A metric known to the dashboard. */
export type ShownMetric = keyof typeof SHOWN;

/** Every metric, the most important first. */
export const METRIC_NAMES = Object.keys(SHOWN) as readonly ShownMetric[];

/** How a metric is shown. */
export function formOf(metric: ShownMetric): MetricForm {
  return SHOWN[metric];
}

/** Whether the dashboard knows this metric. */
export function isMetric(name: string): name is ShownMetric {
  return Object.hasOwn(SHOWN, name);
}

/** Formats a metric's value; money in a form that fits into so many digits. */
export function formatMetric(
  metric: ShownMetric,
  value: number | Money | null,
  room?: number,
): string {
  if (value === null || typeof value === 'object') return formatMoney(value, undefined, room);
  const { unit } = formOf(metric);
  if (unit === 'percent') return formatPercent(value);
  if (unit === 'seconds') return formatDuration(value);
  return unit === 'ratio' ? `${formatCount(value)}×` : formatCount(value);
}

/** The same with every digit, for hover texts. */
export function formatExact(metric: ShownMetric, value: number | Money | null): string {
  if (value === null) return 'No value: nothing to divide by';
  if (typeof value === 'object') return formatExactMoney(value);
  const { unit } = formOf(metric);
  const isCounted = unit === 'count' || unit === 'credit' || unit === 'average';
  return isCounted ? formatWhole(value) : formatMetric(metric, value);
}

/** Formats a metric's value compactly, for axis ticks. */
export function formatMetricTick(
  metric: ShownMetric,
  value: number,
  currency: string,
  locale?: string,
): string {
  const { unit } = formOf(metric);
  if (unit === 'money') return formatMoneyTick(value, currency, locale);
  if (unit === 'percent') return formatPercentTick(value, locale);
  if (unit === 'seconds') return formatDuration(value).replace(/ 0 [smh]$/, '');
  return formatCountTick(value, locale);
}
