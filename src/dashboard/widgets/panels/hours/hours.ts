import type { QueryAnswer } from '#contract/query.ts';
import type { View } from '../../../address/address.ts';
import { daysOf } from '../../../address/periods.ts';
import { toWallClock } from '../../../format/dates.ts';
import { toNumber } from '../../../format/numbers.ts';
import { addDays } from '../../../ui/calendar/month-weeks.ts';

/** Seven days from Monday, each with 24 sums. */
export type Week = readonly (readonly number[])[];

/**
 * Sums an answer by `time:hour` into the hours of a week, in wall-clock time.
 *
 * - A repeated hour counts twice in the same cell; a skipped hour counts nowhere.
 */
export function foldHours(results: QueryAnswer['results'], metricAt: number): Week {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { dimensions, metrics } of results) {
    const hour = toWallClock(dimensions[0] ?? '');
    const day = week[(hour.getUTCDay() + 6) % 7];
    if (day === undefined) continue;
    day[hour.getUTCHours()] = (day[hour.getUTCHours()] ?? 0) + toNumber(metrics[metricAt] ?? null);
  }
  return week;
}

/** The most days whose hours fit into an answer: about fourteen months. */
export const DAYS_MAX = 416;

/** The view, or its latest {@link DAYS_MAX} days if its period is longer. */
export function latestDays(view: View, today: string): View {
  const [from, to] = daysOf(view, today) ?? [view.period === 'all' ? '' : today, today];
  const earliest = addDays(to, 1 - DAYS_MAX);
  return from < earliest ? { ...view, period: 'custom', from: earliest, to } : view;
}
