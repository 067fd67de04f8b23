import type { BucketUnit } from '#domain/time/buckets.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { dateForm } from './intl-forms.ts';

/**
 * A bucket as the API names it (`2026-11-21`, `2026-11-21 14:00:00`, with an offset where clocks
 * repeat an hour), as an instant of the site's wall clock, without a time zone.
 */
export function toWallClock(label: string): Date {
  const [day = '', time = '00:00:00'] = label.replace(/[+-]\d\d:\d\d$/, '').split(' ');
  return new Date(`${day}T${time}Z`);
}

/** The unit implied by the first two bucket names. */
export function unitOf(labels: readonly string[]): BucketUnit {
  const [first = '', second] = labels;
  if (second === undefined) return first.includes(':') ? 'hour' : 'day';
  const minutes = (toWallClock(second).getTime() - toWallClock(first).getTime()) / 60_000;
  if (first.includes(':')) return minutes < 60 && minutes > 0 ? 'minute' : 'hour';
  if (minutes <= 24 * 60) return 'day';
  return minutes <= 7 * 24 * 60 ? 'week' : 'month';
}

/** How a time is written everywhere, in all languages: `03:00`. */
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** How a day is written in full. */
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A compact bucket label, for the axis. */
export function formatTick(label: string, unit: BucketUnit): string {
  const forms = {
    minute: TIME,
    hour: TIME,
    day: { day: 'numeric', month: 'short' },
    week: { day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' }, // Two digits read as a day: `Aug 26`.
  } as const;
  return format(toWallClock(label), forms[unit]);
}

/** A bucket in full, for tooltips and tables. */
export function formatBucket(label: string, unit: BucketUnit): string {
  const day = { weekday: 'short', ...DAY } as const;
  if (unit === 'month') return format(toWallClock(label), { month: 'long', year: 'numeric' });
  if (unit === 'week') return `Week of ${format(toWallClock(label), day)}`;
  if (unit === 'day') return format(toWallClock(label), day);
  const time = format(toWallClock(label), { ...day, ...TIME });
  // An hour that comes twice, when clocks are set back.
  const [offset] = /[+-]\d\d:\d\d$/.exec(label) ?? [];
  return offset === undefined ? time : `${time} (UTC${offset.replace('-', '−')})`;
}

/** A range of days: `24 Oct – 22 Nov`. */
export function formatDays(first: string, last: string): string {
  const thisYear = String(new Date().getFullYear());
  const isThisYear = first.startsWith(thisYear) && last.startsWith(thisYear);
  return dayForm('UTC', isThisYear).formatRange(toWallClock(first), toWallClock(last));
}

/** Short days: `15 Nov`, with the year unless it is this year. */
export function dayForm(timeZone: string, isThisYear: boolean) {
  return dateForm({ ...DAY, year: isThisYear ? undefined : DAY.year, timeZone });
}

/** An instant in the site's zone. */
export function formatInstant(instant: string, timeZone: string): string {
  return dateForm({ ...DAY, ...TIME, timeZone }).format(new Date(instant));
}

/** Today in a zone: `2026-11-23`. */
export function todayIn(timeZone: string, now = new Date()): string {
  return dateForm({ dateStyle: 'short', timeZone }, 'sv-SE').format(now);
}

/** A zone's wall clock, comparable with bucket names: `2026-11-23 14:05:00`. */
export function nowIn(timeZone: string, now = new Date()): string {
  return dateForm({ dateStyle: 'short', timeStyle: 'medium', timeZone }, 'sv-SE').format(now);
}

/** Whether the bucket has yet to end. */
export function isUnfinished(label: string, unit: BucketUnit, now: string): boolean {
  return toWallClock(now) < endOfBucket(label, unit);
}

/** The wall-clock end of the bucket. */
export function endOfBucket(label: string, unit: BucketUnit): Date {
  const end = toWallClock(label);
  if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setTime(end.getTime() + MINUTES[unit] * 60_000);
  return end;
}

const MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080 } as const;

function format(at: Date, options: Intl.DateTimeFormatOptions): string {
  return dateForm({ ...options, timeZone: 'UTC' }).format(at);
}

/** An instant as a day in the site's zone: `15 Nov`, with the year unless it is this year. */
export function formatDate(instant: string, timeZone: string, now = new Date()): string {
  const year = dateForm({ year: 'numeric', timeZone }, 'en');
  const at = new Date(instant);
  const isThisYear = year.format(at) === year.format(now);
  return dayForm(timeZone, isThisYear).format(at);
}

/** An instant as a time in the site's zone: `14:39`. */
export function formatTime(instant: string, timeZone: string): string {
  return dateForm({ ...TIME, timeZone }).format(new Date(instant));
}

/** An instant of today as a time with seconds, `14:39:07`; an earlier one as a day, `15 Nov`. */
export function formatMoment(instant: string, timeZone: string, now = new Date()): string {
  const day = formatDate(instant, timeZone, now);
  const isToday = day === formatDate(now.toISOString(), timeZone, now);
  if (!isToday) return day;
  return dateForm({ ...TIME, second: '2-digit', timeZone }).format(new Date(instant));
}

/** An instant of today or yesterday as a day and a time, `Today 14:39`; an earlier one as a day, `15 Nov`. */
export function formatSeen(instant: string, timeZone: string, now = new Date()): string {
  const days = [now, new Date(now.getTime() - DAY_MS)].map((at) => todayIn(timeZone, at));
  const name = ['Today', 'Yesterday'][days.indexOf(todayIn(timeZone, new Date(instant)))];
  if (name === undefined) return formatDate(instant, timeZone, now);
  return `${name} ${formatTime(instant, timeZone)}`;
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
export function formatSpan(from: string, to: string, timeZone: string): string {
  return dateForm({ ...DAY, ...TIME, timeZone }).formatRange(new Date(from), new Date(to));
}
