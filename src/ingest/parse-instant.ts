/**
 * The instant that a caller's timestamp names: ISO 8601 with an offset or `Z`, or a date, which is
 * midnight in the given time zone. Nothing when it is neither.
 *
 * - Units: milliseconds since 1970 in UTC; what is finer is cut off.
 * - Why no local times: without an offset they name another instant in each time zone.
 */
export function parseInstant(text: string, timeZone: string): number | undefined {
  if (text.includes('[')) return undefined; // Annotations are Temporal's, not ISO 8601's.
  try {
    if (isDate(text)) {
      return Temporal.PlainDate.from(text).toZonedDateTime(timeZone).epochMilliseconds;
    }
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a timestamp is a date without a time. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
