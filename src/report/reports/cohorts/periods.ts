import type { Fault } from '#contract/fault.ts';
import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';

/** The longest of each unit. */
const LONGEST_MS = { week: 7 * 86_400_000 + 3_600_000, month: 31 * 86_400_000 + 3_600_000 };

/** Weeks or months of which rows are made. */
type Rows = {
  /** What a row is called, and how many there are at most. */
  readonly what: string;
  readonly max: number;
  /** How many more are found that follow the last one. */
  readonly more: number;
  readonly now: number;
};

/**
 * Where the weeks or months begin that the period touches and that have begun (how many is `begun`), and
 * those that follow. A fault is noted when there are too many, and leaves none.
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
  // The quick count may be somewhat too high; it spares the making of thousands.
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
