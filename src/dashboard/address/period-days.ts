import type { View } from './address.ts';

/** The first and last day, both inclusive: `2026-11-01`. */
export type Days = readonly [first: string, last: string];

/** A year in whole weeks, so that Mondays align. */
const YEAR_OF_WEEKS_DAYS = 364;

/** The day `days` later. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The first day of the month `months` later. */
export function addMonths(day: string, months: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 10);
}

/**
 * The days a period covers; undefined for those only the server knows (`all`, `24h`).
 *
 * - Shape: `month` and `year` end today, as later days have no numbers yet.
 */
export function daysOf(
  view: Pick<View, 'period' | 'from' | 'to'>,
  today: string,
): Days | undefined {
  const { period, from, to } = view;
  const [, count] = /^([1-9]\d{0,3})d$/.exec(period) ?? [];
  if (count !== undefined) return [addDays(today, 1 - Number(count)), today];
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

/** The same weekdays a year earlier: 364 days back. */
export function sameWeekdaysYearBefore([first, last]: Days): Days {
  return [addDays(first, -YEAR_OF_WEEKS_DAYS), addDays(last, -YEAR_OF_WEEKS_DAYS)];
}
