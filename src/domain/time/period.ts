/**
 * A stretch of time that a query is about, seen from a time zone.
 *
 * - Units: instants in milliseconds since 1970, UTC. Half-open: `startsAt` belongs to it, `endsAt`
 *   does not.
 */
export type Period = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** IANA name; decides where days, weeks and months begin. */
  readonly timeZone: string;
};

/** An instant, in milliseconds since 1970, UTC, as a time zone's clocks show it. */
export function zonedAt(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}
