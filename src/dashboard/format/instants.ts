import { DAY_MS } from '#domain/time/durations.ts';
import { dayForm, nowIn, todayIn, toWallClock } from './dates.ts';
import { dateForm } from './intl-forms.ts';

/** An instant as a day in the site's zone: `15 Nov`, with the year unless it is this year. */
export function formatDate(
  instant: string,
  timeZone: string,
  locale?: string,
  now = new Date(),
): string {
  const year = dateForm({ year: 'numeric', timeZone }, 'en');
  const at = new Date(instant);
  const isThisYear = year.format(at) === year.format(now);
  return dayForm(timeZone, isThisYear, locale).format(at);
}

/** An instant as a time in the site's zone: `14:39`. */
export function formatTime(instant: string, timeZone: string, locale?: string): string {
  return dateForm({ timeStyle: 'short', timeZone }, locale).format(new Date(instant));
}

/** An instant of today as a time with seconds, `14:39:07`; an earlier one as a day, `15 Nov`. */
export function formatMoment(
  instant: string,
  timeZone: string,
  locale?: string,
  now = new Date(),
): string {
  const day = formatDate(instant, timeZone, locale, now);
  const isToday = day === formatDate(now.toISOString(), timeZone, locale, now);
  if (!isToday) return day;
  return dateForm({ timeStyle: 'medium', timeZone }, locale).format(new Date(instant));
}

/** An instant of today or yesterday as a day and a time, `Today 14:39`; an earlier one as a day, `15 Nov`. */
export function formatSeen(
  instant: string,
  timeZone: string,
  locale?: string,
  now = new Date(),
): string {
  const days = [now, new Date(now.getTime() - DAY_MS)].map((at) => todayIn(timeZone, at));
  const name = ['Today', 'Yesterday'][days.indexOf(todayIn(timeZone, new Date(instant)))];
  if (name === undefined) return formatDate(instant, timeZone, locale, now);
  return `${name} ${formatTime(instant, timeZone, locale)}`;
}

/** A zone's wall-clock time, `2026-11-09` and `14:00`, as an instant. */
export function toInstant(day: string, time: string, timeZone: string): string {
  const wall = Date.parse(`${day}T${time}Z`);
  const offsetAt = (at: number) => toWallClock(nowIn(timeZone, new Date(at))).getTime() - at;
  // The guess may have the offset from the other side of a clock change.
  const guess = wall - offsetAt(wall);
  return new Date(wall - offsetAt(guess)).toISOString();
}

/** A range between two instants, omitting the day where it repeats. */
export function formatSpan(from: string, to: string, timeZone: string, locale?: string): string {
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return dateForm(form, locale).formatRange(new Date(from), new Date(to));
}
