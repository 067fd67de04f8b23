/** How often a subscription is charged, read from the days between charges. */
export type Recurrence = {
  /** The longest gap that is taken for it. */
  readonly gapDaysMax: number;
  /** From one charge to the next: so many days, or months. */
  readonly days: number;
  readonly months: number;
  /** The charge times this fraction is its share of a month. */
  readonly times: number;
  readonly by: number;
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
export const RECURRENCES: readonly Recurrence[] = [
  { gapDaysMax: 10, days: 7, months: 0, times: 52, by: 12, graceDays: 2 },
  { gapDaysMax: 20, days: 14, months: 0, times: 26, by: 12, graceDays: 3 },
  { gapDaysMax: 45, days: 0, months: 1, times: 1, by: 1, graceDays: 7 },
  { gapDaysMax: 75, days: 0, months: 2, times: 1, by: 2, graceDays: 7 },
  { gapDaysMax: 136, days: 0, months: 3, times: 1, by: 3, graceDays: 7 },
  { gapDaysMax: 272, days: 0, months: 6, times: 1, by: 6, graceDays: 7 },
  { gapDaysMax: Number.MAX_SAFE_INTEGER, days: 0, months: 12, times: 1, by: 12, graceDays: 7 },
];

/** The place of the monthly one, which stands for what is not known. */
export const MONTHLY = 2;
