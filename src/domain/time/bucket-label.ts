import { type BucketUnit, firstDay } from './buckets.ts';
import { DAY_MS } from './durations.ts';
import { zonedAt } from './period.ts';

/**
 * Formats a bucket's start in the zone's local time: `2026-11-21` for days, the first day for weeks
 * and months, `2026-11-21 14:00:00` for hours and minutes.
 *
 * - Shape: an hour that repeats when clocks go back carries its offset
 *   (`2026-10-25 02:00:00+02:00`, `2026-10-25 02:00:00+01:00`), so labels stay distinct.
 * - Units: `startsAt` in milliseconds since 1970, UTC, as from `toBuckets`.
 */
export function toBucketLabel(startsAt: number, unit: BucketUnit, timeZone: string): string {
  if (unit !== 'hour' && unit !== 'minute') {
    return firstDay(zonedAt(startsAt, timeZone).toPlainDate(), unit).toString();
  }
  const { offsetMs, isCalm } = findClock(startsAt, timeZone);
  const wall = new Date(startsAt + offsetMs).toISOString();
  const time = unit === 'hour' ? `${wall.slice(11, 13)}:00:00` : `${wall.slice(11, 16)}:00`;
  return `${wall.slice(0, 10)} ${time}${isCalm ? '' : findRepeatedOffset(startsAt, timeZone)}`;
}

/** A zone's offset between two changes of its clocks. */
type Clock = {
  readonly timeZone: string;
  readonly offsetMs: number;
  readonly from: number;
  readonly to: number;
};

let last: Clock | undefined;

/**
 * The zone's offset, and whether its clocks change neither the day before nor the day after.
 *
 * Why the last one is kept: a series has thousands of labels, which would take a tenth of a second.
 */
function findClock(at: number, timeZone: string) {
  if (last?.timeZone !== timeZone || at < last.from || at >= last.to) {
    const zoned = zonedAt(at, timeZone);
    const from = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
    const to = zoned.getTimeZoneTransition('next');
    last = {
      timeZone,
      offsetMs: zoned.offsetNanoseconds / 1e6,
      from: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      to: to?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    };
  }
  const { offsetMs, from, to } = last;
  return { offsetMs, isCalm: at >= from + DAY_MS && at < to - DAY_MS };
}

/** The offset of a time that the clocks show twice; empty for others. */
function findRepeatedOffset(at: number, timeZone: string): string {
  const zoned = zonedAt(at, timeZone);
  const wall = zoned.toPlainDateTime();
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  return earlier.epochMilliseconds === later.epochMilliseconds ? '' : zoned.offset;
}
