import { zonedAt } from './period.ts';

/** A retention period in days, calendar months or years. */
export type RetentionPeriod = {
  readonly count: number;
  readonly unit: 'days' | 'months' | 'years';
};

const UNITS = { d: 'days', mo: 'months', y: 'years' } as const;
/** The maximum of each unit: about twenty years. */
const COUNT_MAX = { d: 7_300, mo: 240, y: 20 } as const;

/** Parses a retention period such as `90d`, `25mo` or `2y`; undefined if invalid. */
export function parseRetention(text: string): RetentionPeriod | undefined {
  const [, digits, unit] = /^(\d{1,4})(d|mo|y)$/.exec(text) ?? [];
  if (digits === undefined || (unit !== 'd' && unit !== 'mo' && unit !== 'y')) return undefined;
  const count = Number(digits);
  return count >= 1 && count <= COUNT_MAX[unit] ? { count, unit: UNITS[unit] } : undefined;
}

/**
 * The retention cut-off: midnight of the day that lies the retention period before today. Older
 * data is deleted.
 *
 * - Units: milliseconds since 1970, UTC. The midnight is that of the time zone.
 * - Why midnight: only whole days are deleted, so no day is left incomplete.
 */
export function keptSince({ count, unit }: RetentionPeriod, at: number, timeZone: string): number {
  const today = zonedAt(at, timeZone).startOfDay();
  return today.subtract({ [unit]: count }).startOfDay().epochMilliseconds;
}
