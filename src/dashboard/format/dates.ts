import type { BucketUnit } from '#domain/time/buckets.ts';
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

/** A compact bucket label, for the axis. */
export function formatTick(label: string, unit: BucketUnit, locale?: string): string {
  const forms = {
    minute: { hour: 'numeric', minute: '2-digit' },
    hour: { hour: 'numeric', minute: '2-digit' },
    day: { day: 'numeric', month: 'short' },
    week: { day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' }, // Two digits read as a day: `Aug 26`.
  } as const;
  return format(toWallClock(label), forms[unit], locale);
}

/** A bucket in full, for tooltips and tables. */
export function formatBucket(label: string, unit: BucketUnit, locale?: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (unit === 'month') {
    return format(toWallClock(label), { month: 'long', year: 'numeric' }, locale);
  }
  if (unit === 'week') return `Week of ${format(toWallClock(label), day, locale)}`;
  if (unit === 'day') return format(toWallClock(label), day, locale);
  const time = format(toWallClock(label), { ...day, hour: 'numeric', minute: '2-digit' }, locale);
  // An hour that comes twice, when clocks are set back.
  const [offset] = /[+-]\d\d:\d\d$/.exec(label) ?? [];
  return offset === undefined ? time : `${time} (UTC${offset.replace('-', '−')})`;
}

/** A range of days: `24 Oct – 22 Nov`. */
export function formatDays(first: string, last: string, locale?: string): string {
  const thisYear = String(new Date().getFullYear());
  const isThisYear = first.startsWith(thisYear) && last.startsWith(thisYear);
  return dayForm('UTC', isThisYear, locale).formatRange(toWallClock(first), toWallClock(last));
}

/** Short days: `15 Nov`, with the year unless it is this year. */
export function dayForm(timeZone: string, isThisYear: boolean, locale?: string) {
  const form = { day: 'numeric', month: 'short', timeZone } as const;
  return dateForm(isThisYear ? form : { ...form, year: 'numeric' }, locale);
}

/** An instant in the site's zone. */
export function formatInstant(instant: string, timeZone: string, locale?: string): string {
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return dateForm(form, locale).format(new Date(instant));
}

/** Today in a zone: `2026-11-23`. */
export function todayIn(timeZone: string, now = new Date()): string {
  return dateForm({ dateStyle: 'short', timeZone }, 'sv-SE').format(now);
}

/** A zone's wall clock, comparable with bucket names: `2026-11-23 14:05:00`. */
export function nowIn(timeZone: string, now = new Date()): string {
  const form = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const;
  return dateForm(form, 'sv-SE').format(now);
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

function format(at: Date, options: Intl.DateTimeFormatOptions, locale?: string): string {
  return dateForm({ ...options, timeZone: 'UTC' }, locale).format(at);
}
