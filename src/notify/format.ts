import type { Money } from '#contract/query-fields.ts';
import { METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';

/** Formats a figure for display. */
export function format(value: number | Money | null): string {
  if (value === null) return '–';
  const isCount = typeof value === 'number';
  const text = new Intl.NumberFormat('en', {
    ...(isCount
      ? { maximumFractionDigits: 1 }
      : { style: 'currency', currency: value.currency, currencyDisplay: 'narrowSymbol' }),
  }).format(isCount ? value : (value.value as Intl.StringNumericLiteral));
  return text.replace('-', '−');
}

/** Formats a metric's value: percentages and ratios have their signs, times are in minutes. */
export function formatValue(metric: MetricName, value: number | Money | null): string {
  const { unit } = METRIC_FORMS[metric];
  if (value === null || typeof value === 'object') return format(value);
  if (unit === 'percent') return `${format(value)}%`;
  if (unit === 'ratio') return `${format(value)}×`;
  return unit === 'seconds' ? `${format(value / 60)} min` : format(value);
}

/** How a value differs from an earlier one: `−62%`; percentages, in points: `−2.5 pt`. Empty if there was nothing. */
export function formatChange(metric: MetricName, now: number, before: number): string {
  const isRate = METRIC_FORMS[metric].unit === 'percent';
  if (before === 0) return '';
  const size = isRate
    ? Math.round((now - before) * 10) / 10
    : Math.round((100 * (now - before)) / Math.abs(before));
  const sign = size > 0 ? '+' : size < 0 ? '−' : '±';
  return `${sign}${format(Math.abs(size))}${isRate ? ' pt' : '%'}`;
}

/** A number of a site's money. */
export function inCurrency(value: number, currency: string): Money {
  return { value: String(value), currency };
}

/** A figure as a number, for comparing. */
export function valueToNumber(value: number | Money | null): number {
  return typeof value === 'object' ? Number(value?.value ?? 0) : value;
}
