import type { View } from '../../address/address.ts';
import { formatDays } from '../../format/dates.ts';
import { MODELS } from '../../format/models.ts';
import { formatNoun } from '../../format/numbers.ts';

/** Lookback windows, in days. */
export const WINDOWS = [
  { value: 'all', label: 'All time' },
  ...['7', '30', '60', '90'].map((value) => ({ value, label: `${value} days` })),
];

/** What a period is compared with. */
export const COMPARISONS = [
  { value: 'previous', label: 'Previous period' },
  { value: 'year', label: 'Year before, same weekdays' },
  { value: 'off', label: 'Nothing' },
] as const;

/** The comparison's button label. */
export function nameComparison(compare: View['compare']): string {
  if (compare === 'off') return 'No comparison';
  if (compare === 'year') return 'vs year before';
  const [from, to] = compare.split('..');
  if (from === undefined || to === undefined) return 'vs previous period';
  return `vs ${formatDays(from, to)}`;
}

/** The model and window as a button label: `First touch · 30 days`. */
export function nameAttribution({ model, window }: Pick<View, 'model' | 'window'>): string {
  const named = MODELS.find(({ value }) => value === model)?.label ?? model;
  return `${named} · ${window === 'all' ? 'all time' : formatNoun(Number(window), 'day')}`;
}
