/**
 * The end of a stated instant: the instant itself, or of a date without a time, which is stored as its midnight, the
 * last millisecond of that day.
 *
 * - Units: milliseconds since 1970, UTC.
 */
export function endOfStated(at: number, timeZone: string): number {
  const stated = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  if (stated.startOfDay().epochMilliseconds !== at) return at;
  return stated.add({ days: 1 }).startOfDay().epochMilliseconds - 1;
}
