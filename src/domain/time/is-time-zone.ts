/** Whether the text names a time zone: an IANA name or an offset such as `+05:30`. */
export function isTimeZone(text: string): boolean {
  try {
    new Temporal.ZonedDateTime(0n, text);
    return true;
  } catch {
    return false;
  }
}
