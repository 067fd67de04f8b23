import { formatPercent } from '../../format/numbers.ts';

const SMALLEST = 0.1;

/** A rate in percent; one too small for its decimal shows as `< 0.1%`, not 0. */
export function formatRate(percent: number | null, locale?: string): string {
  const isTiny = percent !== null && percent > 0 && percent < SMALLEST / 2;
  return isTiny ? `< ${formatPercent(SMALLEST, locale)}` : formatPercent(percent, locale);
}
