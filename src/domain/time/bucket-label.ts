import { type BucketUnit, firstDay } from './buckets.ts';
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
  const zoned = zonedAt(startsAt, timeZone);
  const day = zoned.toPlainDate();
  if (unit !== 'hour' && unit !== 'minute') return firstDay(day, unit).toString();
  const time = zoned.toPlainTime().round({ smallestUnit: unit, roundingMode: 'floor' });
  return `${day} ${time}${isRepeated(zoned) ? zoned.offset : ''}`;
}

function isRepeated(zoned: Temporal.ZonedDateTime): boolean {
  const wall = zoned.toPlainDateTime();
  const earlier = wall.toZonedDateTime(zoned.timeZoneId, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zoned.timeZoneId, { disambiguation: 'later' });
  return earlier.epochMilliseconds !== later.epochMilliseconds;
}
