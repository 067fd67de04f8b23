import { type Period, zonedAt } from './period.ts';

/** Calendar days from one up to another, exclusive: `2026-11-21`. */
type DaySpan = { readonly from: string; readonly until: string };

/** The days of the period's zone that begin in it. Of a part of a day, that is none unless the part has its beginning. */
export function daysOfPeriod({ startsAt, endsAt, timeZone }: Period): DaySpan {
  return { from: firstDayFrom(startsAt, timeZone), until: firstDayFrom(endsAt, timeZone) };
}

/** The first day that does not begin before an instant. */
function firstDayFrom(at: number, timeZone: string): string {
  const zoned = zonedAt(at, timeZone);
  const day = zoned.toPlainDate();
  return (zoned.startOfDay().epochMilliseconds < at ? day.add({ days: 1 }) : day).toString();
}
