/** How often a subscription is charged, read from the days between charges. */
export type Recurrence = {
  /** The longest gap that is taken for it. */
  readonly gapDaysMax: number;
  readonly every: { readonly count: number; readonly unit: 'day' | 'month' };
  /** The charge times this fraction is its share of a month. */
  readonly monthly: { readonly times: number; readonly by: number };
  /** So late the next charge may come before the subscription counts as ended. */
  readonly graceDays: number;
};

/**
 * Every recurrence that is distinguished, from the shortest; a longer gap than the last one's is a gap
 * in a yearly subscription.
 *
 * - Why so wide: charges fall on working days, cards fail and are tried again for weeks.
 * - Source: docs/decisions/0016-recurring-revenue.md.
 */
export const RECURRENCES: readonly Recurrence[] = (
  [
    [10, { count: 7, unit: 'day' }, { times: 52, by: 12 }, 2],
    [20, { count: 14, unit: 'day' }, { times: 26, by: 12 }, 3],
    [45, { count: 1, unit: 'month' }, { times: 1, by: 1 }, 7],
    [75, { count: 2, unit: 'month' }, { times: 1, by: 2 }, 7],
    [136, { count: 3, unit: 'month' }, { times: 1, by: 3 }, 7],
    [272, { count: 6, unit: 'month' }, { times: 1, by: 6 }, 7],
    [Number.MAX_SAFE_INTEGER, { count: 12, unit: 'month' }, { times: 1, by: 12 }, 7],
  ] as const
).map(([gapDaysMax, every, monthly, graceDays]) => ({ gapDaysMax, every, monthly, graceDays }));

/** The place of the monthly one, which stands for what is not known. */
export const MONTHLY = 2;
