import { formOf, type MetricName } from './metrics.ts';

/** How a value moved against the one before it. */
export type Change = {
  /** `▲ 12.4 %`, `▲ 0.2 pt`, `± 0 %`. */
  readonly text: string;
  readonly mood: 'good' | 'bad' | 'same';
};

const SIGNS = { '1': '▲', '-1': '▼', '0': '±' } as const;

/**
 * The change from one value of a metric to another: in percent, or in points where the values are
 * percentages themselves. Undefined where there is nothing to compare with.
 */
export function changeOf(
  metric: MetricName,
  now: number | null,
  before: number | null,
  locale?: string,
): Change | undefined {
  if (now === null || before === null) return undefined;
  const { unit, isLessBetter = false } = formOf(metric);
  const isPoints = unit === 'percent';
  if (!isPoints && before === 0)
    return now === 0 ? toChange(0, ' %', isLessBetter, locale) : undefined;
  const size = isPoints ? now - before : ((now - before) / Math.abs(before)) * 100;
  return toChange(size, isPoints ? ' pt' : ' %', isLessBetter, locale);
}

function toChange(size: number, unit: string, isLessBetter: boolean, locale?: string): Change {
  const digits = Math.abs(size) >= 100 ? 0 : 1;
  const rounded = Number(size.toFixed(digits));
  const sign = Math.sign(rounded) as 1 | -1 | 0;
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(
    Math.abs(rounded),
  );
  const isGood = sign > 0 !== isLessBetter;
  return {
    text: `${SIGNS[`${Object.is(sign, -0) ? 0 : sign}`]} ${amount}${unit}`,
    mood: rounded === 0 ? 'same' : isGood ? 'good' : 'bad',
  };
}
