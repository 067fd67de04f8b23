import { type Period, zonedAt } from './period.ts';

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

/**
 * The same days or wall-clock times one year earlier. 29 February is compared with the 28th.
 */
export function yearBefore({ startsAt, endsAt, timeZone }: Period): Period {
  const earlier = (at: number) => zonedAt(at, timeZone).subtract({ years: 1 }).epochMilliseconds;
  return { startsAt: earlier(startsAt), endsAt: earlier(endsAt), timeZone };
}
