import type { AskedFields } from '#contract/query-fields.ts';
import type { Period } from '#domain/time/period.ts';

/** A period as answers show it: two instants in its zone, the end exclusive. */
export function toAnsweredRange({ startsAt, endsAt, timeZone }: Period): [string, string] {
  const text = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(timeZone)
      .toString({ timeZoneName: 'never', smallestUnit: 'second' });
  return [text(startsAt), text(endsAt)];
}

/** The part of a query that every answer echoes. */
export function echoOf(sent: AskedFields, period: Period) {
  return {
    site_id: sent.site_id,
    date_range: toAnsweredRange(period),
    filters: sent.filters ?? [],
    timezone: period.timeZone,
  };
}
