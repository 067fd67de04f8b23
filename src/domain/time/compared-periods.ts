import { type BucketUnit, toBuckets } from './buckets.ts';
import { endOfSecond } from './parse-period.ts';
import { type Period, zonedAt } from './period.ts';

/** An earlier period, and the part of it that counts. */
export type Compared = { readonly whole: Period; readonly part: Period };

/**
 * An earlier period to compare a period with, like with like: while that is not over, only as much of the earlier one
 * counts as has passed of it, by the wall clock.
 *
 * - Units: `now` in milliseconds since 1970, UTC.
 * - Shape: the part is never empty.
 */
export function compareWith(whole: Period, period: Period, now: number): Compared {
  const until = endOfSecond(now);
  if (until >= period.endsAt) return { whole, part: whole };
  const wallClock = (at: number) => zonedAt(at, period.timeZone).toPlainDateTime();
  const passed = wallClock(period.startsAt).until(wallClock(until));
  const sameTime = wallClock(whole.startsAt).add(passed).toZonedDateTime(whole.timeZone);
  const endsAt = Math.max(sameTime.epochMilliseconds, whole.startsAt + 1);
  return { whole, part: { ...whole, endsAt: Math.min(endsAt, whole.endsAt) } };
}

/**
 * Each bucket of a period with the one it is compared with: by position, the first with the first, or the last with
 * the last if the other period is directly before. Undefined if there is none, or if it is beyond the part.
 *
 * - Units: starts in milliseconds since 1970, UTC.
 * - Why from the end: the 31 days before October begin on the last of August, and October's month is September.
 */
export function pairBuckets(
  period: Period,
  { whole, part }: Compared,
  unit: BucketUnit,
): (readonly [startsAt: number, earlier: number | undefined])[] {
  const [buckets, earlier] = [toBuckets(period, unit), toBuckets(whole, unit)];
  const skipped = whole.endsAt === period.startsAt ? earlier.length - buckets.length : 0;
  return buckets.map((startsAt, index) => {
    const before = earlier[index + skipped];
    return [startsAt, before !== undefined && before < part.endsAt ? before : undefined];
  });
}

/**
 * The preceding period of the same length.
 *
 * - Shape: for a period of whole days, as many whole days of its zone, even if some have 23 or 25
 *   hours. For any other period, as many milliseconds.
 */
export function previousPeriod({ startsAt, endsAt, timeZone }: Period): Period {
  const [start, end] = [zonedAt(startsAt, timeZone), zonedAt(endsAt, timeZone)];
  if (!isStartOfDay(start) || !isStartOfDay(end)) {
    return { startsAt: startsAt - (endsAt - startsAt), endsAt: startsAt, timeZone };
  }
  const days = start.toPlainDate().until(end.toPlainDate(), { largestUnit: 'day' }).days;
  const first = start.toPlainDate().subtract({ days });
  const firstAt = first.toZonedDateTime(timeZone).epochMilliseconds;
  return { startsAt: firstAt, endsAt: startsAt, timeZone };
}

function isStartOfDay(zoned: Temporal.ZonedDateTime): boolean {
  return zoned.startOfDay().epochMilliseconds === zoned.epochMilliseconds;
}

/** The same days or wall-clock times one year earlier (29 February: the 28th), or the same weekdays, 364 days earlier. */
export function yearBefore({ startsAt, endsAt, timeZone }: Period, by = 'year_over_year'): Period {
  const year = by === 'same_weekdays' ? { days: 364 } : { years: 1 };
  const earlier = (at: number) => zonedAt(at, timeZone).subtract(year).epochMilliseconds;
  return { startsAt: earlier(startsAt), endsAt: earlier(endsAt), timeZone };
}
