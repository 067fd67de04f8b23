import { numberForm } from './intl-forms.ts';
import { formOf, type ShownMetric } from './metrics.ts';

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
  locale?: string,
): Change | undefined {
  if (now === null || before === null) return undefined;
  const { unit, isLessBetter = false } = formOf(metric);
  if (unit === 'percent') {
    // Of the figures as they are shown, so that 17.1% after 17.0% is not the same.
    return toChange(toTenths(now) - toTenths(before), true, isLessBetter, locale);
  }
  if (before === 0) return now === 0 ? toChange(0, false, isLessBetter, locale) : undefined;
  return toChange(((now - before) / Math.abs(before)) * 100, false, isLessBetter, locale);
}

function toTenths(percent: number): number {
  return Number(percent.toFixed(1));
}

function toChange(size: number, isPoints: boolean, isLessBetter: boolean, locale?: string): Change {
  const digits = Math.abs(size) >= 100 || Math.abs(size) < 0.05 ? 0 : 1;
  const rounded = Number(size.toFixed(digits));
  const sign = Math.sign(rounded) as 1 | -1 | 0;
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const form = numberForm(isPoints ? fractions : { ...fractions, style: 'percent' }, locale);
  const amount = form.format(isPoints ? Math.abs(rounded) : Math.abs(rounded) / 100);
  const isGood = sign > 0 !== isLessBetter;
  return {
    text: `${SIGNS[`${Object.is(sign, -0) ? 0 : sign}`]} ${amount}${isPoints ? ' pt' : ''}`,
    mood: rounded === 0 ? 'same' : isGood ? 'good' : 'bad',
  };
}
