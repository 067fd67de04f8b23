import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import type { Chance } from './chance.ts';

/** The period of the demo. Instants are in milliseconds; the end is excluded. */
export type DemoPeriod = ReturnType<typeof createDemoPeriod>;

/** Relative traffic by hour of the day, in UTC, from midnight. */
const HOURS = [
  3, 2, 1, 1, 2, 4, 8, 13, 17, 19, 20, 20, 21, 21, 20, 19, 20, 22, 25, 28, 26, 19, 11, 6,
].map((weight, hour) => [weight, hour * HOUR_MS] as const);

/** Relative traffic by day of the week, from Sunday. */
const WEEKDAYS: readonly number[] = [13, 15, 15, 14, 14, 12, 11];

/**
 * Creates a period that ends at `endsAt`: the UTC day of its last instant, as far as it goes, and `days` whole days
 * before. The shop grows: its last day is twice as busy as its first.
 */
export function createDemoPeriod(endsAt: number, days: number) {
  const lastDayAt = Math.floor((endsAt - 1) / DAY_MS) * DAY_MS;
  const startsAt = lastDayAt - days * DAY_MS;
  const dayChoices = Array.from({ length: days + 1 }, (_, index) => {
    const dayAt = startsAt + index * DAY_MS;
    const weekday = WEEKDAYS[new Date(dayAt).getUTCDay()] ?? 0;
    return [weekday * (1 + index / days), dayAt] as const;
  });
  /** A random instant of any hour, weighted towards busy hours and days. */
  const pickOfWholeDays = (chance: Chance) =>
    chance.pick(dayChoices) + chance.pick(HOURS) + chance.whole(0, HOUR_MS - 1);
  return {
    startsAt,
    endsAt,
    /** When the last seven whole days begin, in UTC. */
    lastWeekAt: Math.floor(endsAt / DAY_MS) * DAY_MS - 7 * DAY_MS,
    /** A random instant of the period, weighted towards busy hours and days. */
    pickInstant(chance: Chance): number {
      let at = pickOfWholeDays(chance);
      while (at >= endsAt) at = pickOfWholeDays(chance);
      return at;
    },
  };
}
