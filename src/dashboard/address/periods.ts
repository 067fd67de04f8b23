import { formatNoun } from '../format/numbers.ts';

/** The periods that have a shortcut, in query API terms. */
export const PERIODS: readonly {
  readonly value: string;
  readonly label: string;
  readonly shortcut: string;
}[] = [
  { value: 'today', label: 'Today', shortcut: 'D' },
  { value: 'yesterday', label: 'Yesterday', shortcut: 'E' },
  { value: '24h', label: 'Last 24 hours', shortcut: 'H' },
  { value: '7d', label: 'Last 7 days', shortcut: 'W' },
  { value: '28d', label: 'Last 28 days', shortcut: 'V' },
  { value: '30d', label: 'Last 30 days', shortcut: 'T' },
  { value: '90d', label: 'Last 90 days', shortcut: 'N' },
  { value: 'month', label: 'Month to date', shortcut: 'M' },
  { value: 'last_month', label: 'Last month', shortcut: 'L' },
  { value: 'year', label: 'Year to date', shortcut: 'Y' },
  { value: '12mo', label: 'Last 12 months', shortcut: 'O' },
  { value: 'all', label: 'All time', shortcut: 'A' },
];

/** The period in words, also those that only addresses name: `24h`, `91d`, `6mo`. */
export function namePeriod(period: string): string {
  const preset = PERIODS.find(({ value }) => value === period);
  const [, count, unit] = /^(\d+)(h|d|mo)$/.exec(period) ?? [];
  if (preset !== undefined || unit === undefined) return preset?.label ?? 'Today';
  const noun = { h: 'hour', d: 'day', mo: 'month' }[unit] ?? '';
  return `Last ${formatNoun(Number(count), noun)}`;
}
