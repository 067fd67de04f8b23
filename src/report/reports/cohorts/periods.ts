import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';

/** The longest of each unit. */
const LONGEST_MS = { week: 7 * 86_400_000 + 3_600_000, month: 31 * 86_400_000 + 3_600_000 };

/** Weeks or months that have begun, and those that follow them. */
export type Periods = {
  /** How many there are that a query's period touches and that have begun. */
  readonly begun: number;
  /** Where each of them begins, then each that follows. */
  readonly startsAt: readonly number[];
};

/** The weeks or months of a period, and so many that follow; nothing for more than `max`. */
export function findPeriods(
  period: Period,
  unit: 'week' | 'month',
  { now, max, more }: { readonly now: number; readonly max: number; readonly more: number },
): Periods | undefined {
  const endsAt = Math.min(period.endsAt, now + 1);
  if (endsAt <= period.startsAt) return { begun: 0, startsAt: [] };
  // The quick count may be somewhat too high; it spares the making of thousands.
  if (countBucketsAtMost({ ...period, endsAt }, unit) > 4 * max) return undefined;
  const starts = toBuckets({ ...period, endsAt }, unit);
  const [first = 0] = starts;
  const count = starts.length + more;
  const furthest = { ...period, startsAt: first, endsAt: first + (count + 1) * LONGEST_MS[unit] };
  if (starts.length > max) return undefined;
  return { begun: starts.length, startsAt: toBuckets(furthest, unit).slice(0, count) };
}
