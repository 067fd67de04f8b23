import type { Chance } from './chance.ts';
import { HOURS, WEEKDAYS } from './tea-shop.ts';

/** The days in which the demo happens. Instants are milliseconds; the end is not included. */
export type DemoPeriod = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** An instant as busy as the shop then is. */
  pickInstant(chance: Chance): number;
};

/** A day in UTC, which knows no daylight saving. */
export const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Whole days in UTC before `endsAt`, which is a midnight. The shop grows: its last day is twice as
 * busy as its first.
 */
export function createDemoPeriod(endsAt: number, days: number): DemoPeriod {
  const startsAt = endsAt - days * DAY_MS;
  const dayChoices = Array.from({ length: days }, (_, index) => {
    const dayAt = startsAt + index * DAY_MS;
    const weekday = WEEKDAYS[new Date(dayAt).getUTCDay()] ?? 0;
    return [weekday * (1 + index / days), dayAt] as const;
  });
  const hourChoices = HOURS.map((weight, hour) => [weight, hour * HOUR_MS] as const);
  return {
    startsAt,
    endsAt,
    pickInstant: (chance) =>
      chance.pick(dayChoices) + chance.pick(hourChoices) + chance.whole(0, HOUR_MS - 1),
  };
}
