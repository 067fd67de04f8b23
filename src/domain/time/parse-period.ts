import { ok, type Result, refuse } from '../result.ts';
import { DAY_MS } from './durations.ts';
import { type Period, zonedAt } from './period.ts';

/** A keyword such as `30d`, or a pair: first and last day, or two instants. */
export type DateRange = string | readonly [string, string];

/** The context for parsing a date range. Instants are milliseconds since 1970, UTC. */
type DateContext = {
  readonly now: number;
  readonly timeZone: string;
  /** The earliest recorded data, where `all` begins. Undefined without data. */
  readonly earliestAt?: number | undefined;
};

/** All date range keywords, for error messages. */
const DATE_RANGE_WORDS =
  'day, today, yesterday, 24h, 7d, 28d, 30d, 91d (any number of days to 3660), month, 6mo, 12mo ' +
  '(any number of months to 120), year, all, or [from, to]';

/**
 * Resolves a date range to a period in a time zone.
 *
 * - Shape: `Nd` and `Nmo` include the current day and month, so the latest data shows. `[from, to]`
 *   includes both days; for instants, `to` is excluded. An instant without an offset is local time in
 *   the zone.
 * - Refuses unknown keywords, dates that do not exist, ranges that end before they begin, and years
 *   outside 1970 to 2200 (the warehouse's limits), with a sentence for the caller.
 */
export function parsePeriod(range: DateRange, calendar: DateContext): Result<Period, string> {
  const ends = typeof range === 'string' ? wordEnds(range, calendar) : writtenEnds(range, calendar);
  if (!ends.ok) return ends;
  const [startsAt, endsAt] = ends.value;
  if (endsAt <= startsAt) return refuse('The date range ends before it begins.');
  if (startsAt < 0 || endsAt > LATEST_AT) {
    return refuse('A date range must lie between the years 1970 and 2200.');
  }
  return ok({ startsAt, endsAt, timeZone: calendar.timeZone });
}

/** The end of the second that contains an instant, in milliseconds. */
export function endOfSecond(at: number): number {
  return Math.ceil((at + 1) / 1_000) * 1_000;
}

const LATEST_AT = Date.UTC(2201, 0, 1);

type Ends = readonly [startsAt: number, endsAt: number];

function wordEnds(word: string, calendar: DateContext): Result<Ends, string> {
  const today = dayOf(calendar.now, calendar.timeZone);
  const lastOfMonth = today.with({ day: today.daysInMonth });
  const days = (first: Temporal.PlainDate, last: Temporal.PlainDate) =>
    ok(daysEnds(first, last, calendar.timeZone));

  const [, digits, unit] = /^([1-9]\d{0,3})(d|mo)$/.exec(word) ?? [];
  const count = Number(digits);
  if (unit === 'd' && count <= 3660) return days(today.subtract({ days: count - 1 }), today);
  if (unit === 'mo' && count <= 120) {
    return days(today.with({ day: 1 }).subtract({ months: count - 1 }), lastOfMonth);
  }
  switch (word) {
    case 'day':
    case 'today':
      return days(today, today);
    case '24h':
      return ok([endOfSecond(calendar.now) - DAY_MS, endOfSecond(calendar.now)]);
    case 'yesterday':
      return days(today.subtract({ days: 1 }), today.subtract({ days: 1 }));
    case 'month':
      return days(today.with({ day: 1 }), lastOfMonth);
    case 'year':
      return days(today.with({ month: 1, day: 1 }), today.with({ month: 12, day: 31 }));
    case 'all': {
      const earliestAt = Math.max(0, Math.min(calendar.earliestAt ?? calendar.now, calendar.now));
      return days(dayOf(earliestAt, calendar.timeZone), today);
    }
    default:
      return refuse(`"${word}" is not a date range. Known: ${DATE_RANGE_WORDS}.`);
  }
}

type Written = readonly [from: string, to: string];

function writtenEnds([from, to]: Written, { timeZone }: DateContext): Result<Ends, string> {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (first !== undefined && last !== undefined) return ok(daysEnds(first, last, timeZone));
  const [startsAt, endsAt] = [parseInstantIn(from, timeZone), parseInstantIn(to, timeZone)];
  if (startsAt !== undefined && endsAt !== undefined) return ok([startsAt, endsAt]);
  return refuse(
    'A date range array has two days ("2026-11-01") or two instants ("2026-11-01T09:00:00+01:00").',
  );
}

/** Parses a day such as `2026-11-01`; undefined if it is none. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return orUndefined(() => Temporal.PlainDate.from(text, { overflow: 'reject' }));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/i;

/** Parses an instant; without an offset, it is local time in the zone. Undefined if it is none. */
export function parseInstantIn(text: string, timeZone: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  return orUndefined(() =>
    match[3] === undefined
      ? Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds
      : Temporal.Instant.from(text).epochMilliseconds,
  );
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // Temporal throws for dates that do not exist, such as 2026-02-30.
  }
}

/** From the start of the first day to the end of the last. */
function daysEnds(first: Temporal.PlainDate, last: Temporal.PlainDate, timeZone: string): Ends {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return [startOf(first), startOf(last.add({ days: 1 }))];
}

function dayOf(at: number, timeZone: string): Temporal.PlainDate {
  return zonedAt(at, timeZone).toPlainDate();
}
