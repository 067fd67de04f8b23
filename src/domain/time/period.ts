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
