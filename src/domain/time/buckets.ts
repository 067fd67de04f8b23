import { assert } from '../assert.ts';
import { type Period, zonedAt } from './period.ts';

/** What a time series can count by. A week begins on Monday (ISO 8601). */
export type BucketUnit = 'minute' | 'hour' | DateUnit;
type DateUnit = 'day' | 'week' | 'month';

/**
 * Where each bucket of a period begins, in order: the first holds the period's start, and may begin
 * before it.
 *
 * - Units: milliseconds since 1970, UTC.
 * - Shape: days of 23 and 25 hours, zones of half hours and days that a zone skipped come out as the
 *   zone's clocks showed them. When a clock steps to the middle of an hour, a bucket begins there.
 * - Throws on an empty period: a bug in the caller.
 */
export function toBuckets(period: Period, unit: BucketUnit): number[] {
  assert(period.startsAt < period.endsAt, 'a period has a length');
  if (unit === 'minute' || unit === 'hour') return clockBuckets(period, SHORTEST_MS[unit]);
  return dateBuckets(period, unit);
}

/** At most how many buckets {@link toBuckets} gives, without making them. */
export function countBucketsAtMost(period: Period, unit: BucketUnit): number {
  return Math.ceil((period.endsAt - period.startsAt) / SHORTEST_MS[unit]) + 2;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The clocks may go forward in any but the first two. */
const SHORTEST_MS: Readonly<Record<BucketUnit, number>> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: DAY_MS - HOUR_MS,
  week: 7 * DAY_MS - HOUR_MS,
  month: 28 * DAY_MS - HOUR_MS,
};

/** Minutes and hours: counted off the wall clock, anew after each change of the zone's offset. */
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

/** The first day of the bucket that a day is in. */
export function firstDay(day: Temporal.PlainDate, unit: DateUnit): Temporal.PlainDate {
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  return unit === 'month' ? day.with({ day: 1 }) : day;
}

/**
 * The unit that a chart of a period is best counted by: at most a hundred points or so, and as fine as that
 * allows; months for more than a quarter, as days then hide what weekends do.
 */
export function bucketUnitFor({ startsAt, endsAt }: Period): BucketUnit {
  const lengthMs = endsAt - startsAt;
  if (lengthMs <= 3 * HOUR_MS) return 'minute';
  if (lengthMs <= 2 * DAY_MS + HOUR_MS) return 'hour'; // Clocks may go back meanwhile.
  return lengthMs <= 92 * DAY_MS + HOUR_MS ? 'day' : 'month';
}
