import { ok, type Result, refuse } from '#domain/result.ts';
import type { ReadingOptions } from './format.ts';

/** Zones that PayPal names by letters which are no IANA name, by their hours ahead of UTC. */
const HOURS: Readonly<Record<string, number>> = {
  ...{ PST: -8, PDT: -7, MDT: -6, CST: -6, CDT: -5, EDT: -4, BRT: -3, BST: 1, CEST: 2, EEST: 3 },
  ...{ MSK: 3, SGT: 8, HKT: 8, JST: 9, KST: 9, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
};

/** The time of a line of PayPal's in ISO 8601, or what is wrong with which column. */
export function readPaypalTime(
  date: string,
  time: string,
  zone: string,
  dates: ReadingOptions['dates'],
): Result<string, readonly [column: string, message: string]> {
  const day = readDay(date, dates);
  if (day === undefined) return refuse(['Date', 'must be a date, such as 31/12/2026']);
  if (!/^\d{1,2}:\d{2}:\d{2}$/.test(time)) return refuse(['Time', 'must be such as 14:30:00']);
  const local = `${day}T${time.padStart(8, '0')}`;
  const found = toInstant(local, zone);
  if (found !== undefined) return ok(found);
  return refuse(['TimeZone', `must be a time zone, such as PST, CEST or America/Los_Angeles`]);
}

function readDay(date: string, dates: ReadingOptions['dates']): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  const [, first = '', mark, second = '', year] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  const isDayFirst = mark !== '/' || dates === 'day-first';
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDate ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : undefined;
}

function toInstant(local: string, zone: string): string | undefined {
  const hours = HOURS[zone.toUpperCase()];
  const [, named] = /^(?:GMT|UTC)?([+-]\d{2}:\d{2})$/.exec(zone) ?? [];
  const id = named ?? (hours === undefined ? zone : toOffset(hours));
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(id).toInstant().toString();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toOffset(hours: number): string {
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}
