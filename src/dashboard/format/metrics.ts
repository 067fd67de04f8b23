import type { Money } from '#contract/query-fields.ts';
import { METRIC_FORMS, type MetricForm } from '#contract/reports/catalog.ts';
import { numberForm } from './intl-forms.ts';
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
  if (value === null || typeof value === 'object') return formatMoney(value, room);
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
export function formatMetricTick(metric: ShownMetric, value: number, currency: string): string {
  const { unit } = formOf(metric);
  if (unit === 'money') return formatMoneyTick(value, currency);
  if (unit === 'percent') return formatPercentTick(value);
  if (unit === 'seconds') return formatDuration(value).replace(/ 0 [smh]$/, '');
  return formatCountTick(value);
}

/** How a value changed from the previous one. */
type Change = {
  /** `▲ 12.4%`, `▲ 0.2 pt`, `± 0%`. */
  readonly text: string;
  readonly mood: 'good' | 'bad' | 'same';
};

const SIGNS = { '1': '▲', '-1': '▼', '0': '±' } as const;

/**
 * The change from one value of a metric to another: in percent, or in points if the values are
 * percentages themselves. Undefined when there is nothing to compare with.
 */
export function changeOf(
  metric: ShownMetric,
  now: number | null,
  before: number | null,
): Change | undefined {
  if (now === null || before === null) return undefined;
  const { unit, isLessBetter = false } = formOf(metric);
  if (unit === 'percent') {
    // Of the figures as they are shown, so that 17.1% after 17.0% is not the same.
    return toChange(toTenths(now) - toTenths(before), true, isLessBetter);
  }
  if (before === 0) return now === 0 ? toChange(0, false, isLessBetter) : undefined;
  return toChange(((now - before) / Math.abs(before)) * 100, false, isLessBetter);
}

function toTenths(percent: number): number {
  return Number(percent.toFixed(1));
}

function toChange(size: number, isPoints: boolean, isLessBetter: boolean): Change {
  const digits = Math.abs(size) >= 100 || Math.abs(size) < 0.05 ? 0 : 1;
  const rounded = Number(size.toFixed(digits));
  const sign = Math.sign(rounded) as 1 | -1 | 0;
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const form = numberForm(isPoints ? fractions : { ...fractions, style: 'percent' });
  const amount = form.format(isPoints ? Math.abs(rounded) : Math.abs(rounded) / 100);
  const isGood = sign > 0 !== isLessBetter;
  return {
    text: `${SIGNS[`${Object.is(sign, -0) ? 0 : sign}`]} ${amount}${isPoints ? ' pt' : ''}`,
    mood: rounded === 0 ? 'same' : isGood ? 'good' : 'bad',
  };
}
