import type { View } from '../../../address/address.ts';
import { addDays, daysOf } from '../../../address/period-days.ts';

/** The most days whose hours fit into an answer: about fourteen months. */
export const DAYS_MAX = 416;

/** The view, or its latest {@link DAYS_MAX} days if its period is longer. */
export function latestDays(view: View, today: string): View {
  const [from, to] = daysOf(view, today) ?? [view.period === 'all' ? '' : today, today];
  const earliest = addDays(to, 1 - DAYS_MAX);
  return from < earliest ? { ...view, period: 'custom', from: earliest, to } : view;
}
