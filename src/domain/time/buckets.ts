import { assert } from '../assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { type Period, zonedAt } from './period.ts';

/** The bucket sizes of a time series. Weeks begin on Monday (ISO 8601). */
export type BucketUnit = 'minute' | 'hour' | DateUnit;
type DateUnit = 'day' | 'week' | 'month';

/**
 * The start of each bucket of a period, ascending. The first bucket contains the period's start and
 * may begin before it.
 *
 * - Units: milliseconds since 1970, UTC.
 * - Shape: follows the zone's wall clock, with days of 23 and 25 hours, half-hour zones and skipped
 *   days. When a clock change lands in the middle of an hour, a bucket begins there.
 * - Throws on an empty period: a bug in the caller.
 */
export function toBuckets(period: Period, unit: BucketUnit): number[] {
  assert(period.startsAt < period.endsAt, 'a period has a length');
  if (unit === 'minute' || unit === 'hour') return clockBuckets(period, SHORTEST_MS[unit]);
  return dateBuckets(period, unit);
}

/** An upper bound on the number of buckets from {@link toBuckets}, without computing them. */
export function countBucketsAtMost(period: Period, unit: BucketUnit): number {
  return Math.ceil((period.endsAt - period.startsAt) / SHORTEST_MS[unit]) + 2;
}

/** An hour shorter for days and longer, because clocks may go forward. */
const SHORTEST_MS: Readonly<Record<BucketUnit, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS - HOUR_MS,
  week: 7 * DAY_MS - HOUR_MS,
  month: 28 * DAY_MS - HOUR_MS,
};

/** Minutes and hours, aligned to the wall clock again after each change of the zone's offset. */
function clockBuckets({ startsAt, endsAt, timeZone }: Period, lengthMs: number): number[] {
  const starts: number[] = [];
  let segmentAt = startsAt;
  while (segmentAt < endsAt) {
    const zoned = zonedAt(segmentAt, timeZone);
    const changeAt = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? endsAt;
    const offsetMs = zoned.offsetNanoseconds / 1e6;
    const aligned = Math.floor((segmentAt + offsetMs) / lengthMs) * lengthMs - offsetMs;
    const segmentEndsAt = Math.min(changeAt, endsAt);
    starts.push(starts.length === 0 ? aligned : segmentAt);
    for (let at = aligned + lengthMs; at < segmentEndsAt; at += lengthMs) starts.push(at);
    segmentAt = segmentEndsAt;
  }
  return starts;
}

function dateBuckets({ startsAt, endsAt, timeZone }: Period, unit: DateUnit) {
  const starts: number[] = [];
  let date = firstDay(zonedAt(startsAt, timeZone).toPlainDate(), unit);
  for (;;) {
    const at = date.toZonedDateTime(timeZone).epochMilliseconds;
    if (at >= endsAt) return starts;
    // A day that the zone skipped (Samoa, 30 December 2011) begins where the next one does.
    if (at !== starts.at(-1)) starts.push(at);
    date = date.add({ [`${unit}s`]: 1 });
  }
}

/** The first day of the bucket that contains a day. */
export function firstDay(day: Temporal.PlainDate, unit: DateUnit): Temporal.PlainDate {
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  return unit === 'month' ? day.with({ day: 1 }) : day;
}

/**
 * The bucket size that suits a chart of a period: the finest with about a hundred points or fewer
 * (180 for minutes). Above a quarter it is months, because weekends make daily figures noisy.
 */
export function bucketUnitFor({ startsAt, endsAt }: Period): BucketUnit {
  const lengthMs = endsAt - startsAt;
  if (lengthMs <= 3 * HOUR_MS) return 'minute';
  if (lengthMs <= 2 * DAY_MS + HOUR_MS) return 'hour'; // Clocks may go back.
  return lengthMs <= 92 * DAY_MS + HOUR_MS ? 'day' : 'month';
}
