import { zonedAt } from './period.ts';

/** A time that is counted in days, calendar months or years. */
export type Retention = {
  readonly count: number;
  readonly unit: 'days' | 'months' | 'years';
};

const UNITS = { d: 'days', mo: 'months', y: 'years' } as const;
/** The longest of each unit: about twenty years. */
const COUNT_MAX = { d: 7_300, mo: 240, y: 20 } as const;

/** The time that a text like `90d`, `25mo` or `2y` names; nothing when it is none. */
export function parseRetention(text: string): Retention | undefined {
  const [, digits, unit] = /^(\d{1,4})(d|mo|y)$/.exec(text) ?? [];
  if (digits === undefined || (unit !== 'd' && unit !== 'mo' && unit !== 'y')) return undefined;
  const count = Number(digits);
  return count >= 1 && count <= COUNT_MAX[unit] ? { count, unit: UNITS[unit] } : undefined;
}

/**
 * The instant before which nothing is kept: the midnight that lies the time back from today.
 *
 * - Units: milliseconds since 1970, UTC; the midnight is one of the time zone.
 * - Why a midnight: what goes are whole days, so that no day is left half.
 */
export function keptSince({ count, unit }: Retention, at: number, timeZone: string): number {
  const today = zonedAt(at, timeZone).startOfDay();
  return today.subtract({ [unit]: count }).startOfDay().epochMilliseconds;
}
