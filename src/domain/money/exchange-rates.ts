import { findCurrency } from './currencies.ts';

/**
 * What one euro was worth on each day that rates were published.
 *
 * - Units: days since 1970; millionths of a currency's unit to the euro.
 */
export type ExchangeRates = {
  /** Every day with rates, ascending. */
  readonly days: readonly number[];
  /** A currency's rates by day; a day on which it had none is left out. */
  readonly perEuroByCode: ReadonlyMap<string, ReadonlyMap<number, number>>;
};

/** A stretch of days, from `startsOn` to before `endsOn`, on which one rate holds. */
export type RateSpan = {
  readonly startsOn: number;
  readonly endsOn: number;
  readonly perEuro: number;
};

/** The ECB's longest pause, around Easter and Christmas, is five days. */
const HOLDS_MAX_DAYS = 7;

/** Behind the last day that a warehouse's dates can hold. */
const NEVER = 65_535;

/**
 * The days on which each published rate holds: until the next one is, over weekends and holidays.
 *
 * - Shape: a currency whose rates stop (because it joined the euro, or is no longer quoted) has none a
 *   week later. The table's own last day holds on, until newer rates are loaded.
 * - Source: the ECB publishes on business days; the day before holds on all others.
 */
export function toRateSpans(rates: ExchangeRates, code: string): readonly RateSpan[] {
  const own = rates.perEuroByCode.get(code);
  if (own === undefined) return [];
  const days = [...own.keys()].toSorted((a, b) => a - b);
  const lastDay = rates.days.at(-1);
  return days.map((startsOn, index) => {
    const next = days[index + 1] ?? (startsOn === lastDay ? NEVER : startsOn + HOLDS_MAX_DAYS);
    const endsOn = next === NEVER ? NEVER : Math.min(next, startsOn + HOLDS_MAX_DAYS);
    return { startsOn, endsOn, perEuro: own.get(startsOn) ?? 0 };
  });
}

/** Rates of both tables; where both have a day, the newer table's. */
export function joinRates(older: ExchangeRates, newer: ExchangeRates): ExchangeRates {
  const days = [...new Set([...older.days, ...newer.days])].toSorted((a, b) => a - b);
  const codes = new Set([...older.perEuroByCode.keys(), ...newer.perEuroByCode.keys()]);
  const replaced = new Set(newer.days);
  const perEuroByCode = new Map(
    [...codes].map((code) => {
      const kept = [...(older.perEuroByCode.get(code) ?? [])].filter(([day]) => !replaced.has(day));
      return [code, new Map([...kept, ...(newer.perEuroByCode.get(code) ?? [])])] as const;
    }),
  );
  return { days, perEuroByCode };
}

/** Currencies that rates are known for and payments can have, the euro included. */
export function codesOf(rates: ExchangeRates): readonly string[] {
  return [...rates.perEuroByCode.keys()].filter((code) => findCurrency(code) !== undefined);
}
