import type { BucketUnit } from './buckets.ts';

/**
 * How a bucket is written: `2026-11-21` for days, the first day for weeks and months, and
 * `2026-11-21 14:00:00` for hours and minutes, in the zone's own time.
 *
 * - Shape: where clocks go back, an hour comes twice; both then carry their offset
 *   (`2026-10-25 02:00:00+02:00`, `2026-10-25 02:00:00+01:00`), so that labels stay distinct.
 * - Units: `startsAt` in milliseconds since 1970, UTC, as from `toBuckets`.
 */
export function toBucketLabel(startsAt: number, unit: BucketUnit, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timeZone);
  const day = zoned.toPlainDate().toString();
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return zoned
        .toPlainDate()
        .subtract({ days: zoned.dayOfWeek - 1 })
        .toString();
    case 'month':
      return `${day.slice(0, -2)}01`;
    case 'hour':
    case 'minute': {
      const minute = unit === 'minute' ? zoned.minute : 0;
      return `${day} ${two(zoned.hour)}:${two(minute)}:00${comesTwice(zoned) ? zoned.offset : ''}`;
    }
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function comesTwice(zoned: Temporal.ZonedDateTime): boolean {
  const wall = zoned.toPlainDateTime();
  const earlier = wall.toZonedDateTime(zoned.timeZoneId, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(zoned.timeZoneId, { disambiguation: 'later' });
  return earlier.epochMilliseconds !== later.epochMilliseconds;
}
