/** A subscription's billing interval, inferred from the days between charges. */
export type Recurrence = {
  /** The longest gap between charges that still counts as this interval. */
  readonly gapDaysMax: number;
  /** Time to the next charge: days or months, the other is 0. */
  readonly days: number;
  readonly months: number;
  /** Monthly amount = charge × `times` / `by`. */
  readonly times: number;
  readonly by: number;
  /** How late a charge may be before the subscription counts as ended. */
  readonly graceDays: number;
};

/**
 * All billing intervals, shortest first. Any gap longer than six-monthly counts as yearly.
 *
 * - Why the wide tolerances: charges move to working days, and failed cards are retried for weeks.
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

/** Index of the monthly interval, the default when the interval is unknown. */
export const MONTHLY = 2;
