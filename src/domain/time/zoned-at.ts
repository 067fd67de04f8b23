/** An instant, in milliseconds since 1970, UTC, as a time zone's clocks show it. */
export function zonedAt(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}
