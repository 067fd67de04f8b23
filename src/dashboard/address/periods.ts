import { DAY_MS } from '#domain/time/durations.ts';
import { formatDays } from '../format/dates.ts';
import { MODELS } from '../format/models.ts';
import { formatNoun } from '../format/numbers.ts';
import { addDays, moveMonth } from '../ui/calendar/month-weeks.ts';
import type { View } from './address.ts';

/** The periods that have a shortcut, in query API terms. */
export const PERIODS = [
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
] as const;

/** The period in words, also those that only addresses name: `24h`, `91d`, `6mo`. */
export function namePeriod(period: string): string {
  const preset = PERIODS.find(({ value }) => value === period);
  const [, count, unit] = /^(\d+)(h|d|mo)$/.exec(period) ?? [];
  if (preset !== undefined || unit === undefined) return preset?.label ?? 'Today';
  const noun = { h: 'hour', d: 'day', mo: 'month' }[unit] ?? '';
  return `Last ${formatNoun(Number(count), noun)}`;
}

/** The first and last day, both inclusive: `2026-11-01`. */
export type Days = readonly [first: string, last: string];
type Choice = Pick<View, 'period' | 'from' | 'to'>;

/** The first day of the month `months` later. */
export function addMonths(day: string, months: number): string {
  return moveMonth(`${day.slice(0, 7)}-01`, months);
}

/**
 * The days a period covers; undefined for those only the server knows (`all`, `24h`).
 *
 * - Shape: months and years end today, as later days have no numbers yet.
 */
export function daysOf(view: Choice, today: string): Days | undefined {
  const { period, from, to } = view;
  const [, count, unit] = /^([1-9]\d{0,3})(d|mo)$/.exec(period) ?? [];
  if (unit === 'd') return [addDays(today, 1 - Number(count)), today];
  if (unit === 'mo') return [addMonths(today, 1 - Number(count)), today];
  switch (period) {
    case 'custom':
      return [from, to];
    case 'day':
    case 'today':
      return [today, today];
    case 'yesterday':
      return [addDays(today, -1), addDays(today, -1)];
    case 'month':
      return [addMonths(today, 0), today];
    case 'last_month':
      return [addMonths(today, -1), addDays(addMonths(today, 0), -1)];
    case 'year':
      return [`${today.slice(0, 4)}-01-01`, today];
    default:
      return undefined;
  }
}

function countDays([first, last]: Days): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

/** How many whole months a period is of; 0 if it is of days. */
function monthsOf(period: string, [from, to]: Days): number {
  if (period === 'month' || period === 'last_month') return 1;
  if (period === 'year') return 12;
  const [, count] = /^(\d+)mo$/.exec(period) ?? [];
  if (count !== undefined) return Number(count);
  const end = addDays(to, 1);
  if (period !== 'custom' || !from.endsWith('-01') || !end.endsWith('-01')) return 0;
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthOf(end) - monthOf(from);
}

/** Those that name the days, or months, a step may lead to. */
const OF_DAYS = ['today', 'yesterday', '7d', '28d', '30d', '90d'];
const OF_MONTHS = ['month', 'last_month', 'year'];

/**
 * The period before (-1) or after (1): as many days, or whole months. Undefined where a period has no days, and where
 * later ones have yet to come.
 */
export function stepPeriod(view: Choice, today: string, step: -1 | 1): Choice | undefined {
  const days = daysOf(view, today);
  if (days === undefined || (step === 1 && days[1] >= today)) return undefined;
  const months = monthsOf(view.period, days);
  const count = countDays(days);
  const from = months > 0 ? addMonths(days[0], step * months) : addDays(days[0], step * count);
  const end = months > 0 ? addDays(addMonths(from, months), -1) : addDays(days[1], step * count);
  const to = end > today ? today : end;
  const period = (months > 0 ? OF_MONTHS : OF_DAYS).find((name) => {
    const [first, last] = daysOf({ period: name, from: '', to: '' }, today) ?? [];
    return first === from && last === to;
  });
  return period === undefined ? { period: 'custom', from, to } : { period, from: '', to: '' };
}

/** The months before a period of months, of which as many days count as have begun of these; undefined for others. */
export function monthsBefore(view: Choice, today: string) {
  const days = daysOf(view, today);
  if (days === undefined || monthsOf(view.period, days) === 0) return undefined;
  const [from, to] = daysOf(stepPeriod(view, today, -1) ?? view, today) ?? days;
  const passed = addDays(from, countDays(days) - 1);
  return [from, days[1] >= today && passed < to ? passed : to];
}

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
