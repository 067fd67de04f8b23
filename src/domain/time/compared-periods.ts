import { type Period, zonedAt } from './period.ts';

/**
 * The period of the same length that ends where this one begins.
 *
 * - Shape: a period of whole days is preceded by as many whole days of its zone, whatever their hours;
 *   any other by as many milliseconds.
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

/**
 * The same days of the year before, or the same wall-clock times; 29 February is compared with the
 * 28th.
 */
export function yearBefore({ startsAt, endsAt, timeZone }: Period): Period {
  const earlier = (at: number) => zonedAt(at, timeZone).subtract({ years: 1 }).epochMilliseconds;
  return { startsAt: earlier(startsAt), endsAt: earlier(endsAt), timeZone };
}
