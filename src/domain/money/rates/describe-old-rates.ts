import { DAY_MS } from '../../time/durations.ts';

/** The ECB's longest gap, around Easter and Christmas. */
const GAP_MAX_DAYS = 5;

/** The last day of the rates, `YYYY-MM-DD`, if it is more than five days ago. `now` in milliseconds. */
export function findOldDay(lastDay: number, now: number): string | undefined {
  const isOld = Math.floor(now / DAY_MS) - lastDay > GAP_MAX_DAYS;
  return isOld ? toDate(lastDay) : undefined;
}

/** A day since 1970 as `YYYY-MM-DD`. */
export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** What to say of rates and what to do if they end long ago. */
export function describeOldRates(lastDay: number, now: number): string | undefined {
  const last = findOldDay(lastDay, now);
  if (last === undefined) return undefined;
  return `The newest exchange rates are those of ${last}, and later payments are converted at them. Unless RATES_URL is empty, the server fetches newer ones daily: its log says why it could not. Or run tributary rates update --from-ecb.`;
}
