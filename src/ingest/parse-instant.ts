/**
 * Parses a caller's timestamp: ISO 8601 with an offset or `Z`, or a date, which means midnight in the
 * given time zone. Returns undefined for anything else.
 *
 * - Units: milliseconds since 1970 in UTC, truncated.
 * - Why no local times: without an offset, they are ambiguous.
 */
export function parseInstant(text: string, timeZone: string): number | undefined {
  if (text.includes('[')) return undefined; // Bracketed annotations belong to Temporal, not to ISO 8601.
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
