/**
 * Parses a caller's timestamp: ISO 8601 with an offset or `Z`, or without, which means a local time or midnight in the
 * given time zone. Returns undefined for anything else.
 *
 * - Units: milliseconds since 1970 in UTC, truncated. A local time that clocks skip or repeat is the earlier one.
 */
export function parseInstant(text: string, timeZone: string): number | undefined {
  if (text.includes('[')) return undefined; // Bracketed annotations belong to Temporal, not to ISO 8601.
  try {
    return isLocal(text)
      ? Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
      : Temporal.Instant.from(text).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a timestamp is a date or a time without an offset, so that it depends on a time zone. */
export function isLocal(text: string): boolean {
  return LOCAL.test(text);
}

const LOCAL = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?)?$/;

/** Numbers below are seconds: as milliseconds, they would be instants before 1974. */
const MILLISECONDS_FROM = 100_000_000_000;

/** The text of a timestamp that was sent as seconds or milliseconds since 1970. */
export function toInstantText(number: number): string {
  const date = new Date(number < MILLISECONDS_FROM ? number * 1_000 : number);
  return Number.isNaN(date.valueOf()) ? String(number) : date.toISOString();
}
