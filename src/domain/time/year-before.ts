import type { Period } from './period.ts';

/**
 * The same days of the year before, or the same wall-clock times; 29 February is compared with the
 * 28th.
 */
export function yearBefore({ startsAt, endsAt, timeZone }: Period): Period {
  const earlier = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).subtract({ years: 1 })
      .epochMilliseconds;
  return { startsAt: earlier(startsAt), endsAt: earlier(endsAt), timeZone };
}
