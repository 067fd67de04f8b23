import type { Fault } from '#contract/fault.ts';
import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';

/** Each unit's maximum length. */
const LONGEST_MS = { week: 7 * 86_400_000 + 3_600_000, month: 31 * 86_400_000 + 3_600_000 };

/** Weeks or months that become rows. */
type Rows = {
  /** The name of the rows, and their maximum number. */
  readonly what: string;
  readonly max: number;
  /** How many periods to add after the last one. */
  readonly more: number;
  readonly now: number;
};

/**
 * The starts of the weeks or months that overlap the period and have begun (`begun` of them), and of those that
 * follow. Too many are a fault, and none are returned.
 */
export function findPeriods(
  period: Period,
  unit: 'week' | 'month',
  { what, max, more, now }: Rows,
  faults: Fault[],
): { readonly begun: number; readonly startsAt: readonly number[] } {
  const none = { begun: 0, startsAt: [] };
  const passed = { ...period, endsAt: Math.min(period.endsAt, now + 1) };
  if (passed.endsAt <= passed.startsAt) return none;
  // The quick count may be a little high, but avoids creating thousands.
  const isShort = countBucketsAtMost(passed, unit) <= 4 * max;
  const starts = isShort ? toBuckets(passed, unit) : [];
  const [startsAt] = starts;
  if (startsAt === undefined || starts.length > max) {
    const message = `There are at most ${max} ${what}: take a shorter date_range${unit === 'week' ? ', or months' : ''}.`;
    faults.push({ path: '/date_range', message });
    return none;
  }
  const count = starts.length + more;
  const all = { ...period, startsAt, endsAt: startsAt + (count + 1) * LONGEST_MS[unit] };
  return { begun: starts.length, startsAt: toBuckets(all, unit).slice(0, count) };
}
