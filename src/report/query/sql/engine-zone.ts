/**
 * A time zone as the engine names it: an IANA name in its own spelling, or `Fixed/UTC+05:30:00` for an
 * offset.
 */
export function toEngineZone(timeZone: string): string {
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, timeZone);
  return /^[+-]/.test(timeZoneId) ? `Fixed/UTC${timeZoneId}:00` : timeZoneId;
}
