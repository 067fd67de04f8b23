/**
 * The period that a query covers, in a time zone.
 *
 * - Units: instants in milliseconds since 1970, UTC. Half-open: includes `startsAt`, excludes
 *   `endsAt`.
 */
export type Period = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** IANA name. Days, weeks and months begin at its midnights. */
  readonly timeZone: string;
};

/** An instant (milliseconds since 1970, UTC) as a date and time in a time zone. */
export function zonedAt(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}
