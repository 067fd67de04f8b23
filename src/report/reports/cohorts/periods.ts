import { countBucketsAtMost, toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';

type Unit = 'week' | 'month';

/** The longest of each unit. */
const LONGEST_MS = { week: 7 * 86_400_000 + 3_600_000, month: 31 * 86_400_000 + 3_600_000 };

/** Where the weeks or months begin that the period touches and that have begun; nothing for more than `max`. */
export function findBegun(
  period: Period,
  unit: Unit,
  { now, max }: { readonly now: number; readonly max: number },
): number[] | undefined {
  const endsAt = Math.min(period.endsAt, now + 1);
  if (endsAt <= period.startsAt) return [];
  const begun = { ...period, endsAt };
  // The quick count may be somewhat too high; it spares the making of thousands.
  if (countBucketsAtMost(begun, unit) > 4 * max) return undefined;
  const starts = toBuckets(begun, unit);
  return starts.length <= max ? starts : undefined;
}

/** So many periods from the first one's start on, of which the last is where the one before ends. */
export function findPeriods(
  [first]: readonly number[],
  unit: Unit,
  count: number,
  { timeZone }: Period,
): number[] {
  if (first === undefined) return [];
  const endsAt = first + (count + 1) * LONGEST_MS[unit];
  return toBuckets({ startsAt: first, endsAt, timeZone }, unit).slice(0, count);
}
