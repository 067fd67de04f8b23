import { findCurrency } from '../currencies.ts';

/**
 * The value of one euro in each currency, for each day with published rates.
 *
 * - Units: days since 1970; millionths of the currency's unit per euro.
 */
export type ExchangeRates = {
  /** Every day with rates, ascending. */
  readonly days: readonly number[];
  /** Each currency's rates by day. Days without a rate are left out. */
  readonly perEuroByCode: ReadonlyMap<string, ReadonlyMap<number, number>>;
};

/** The days on which one rate applies: from `startsOn` up to, not including, `endsOn`. */
export type RateSpan = {
  readonly startsOn: number;
  readonly endsOn: number;
  readonly perEuro: number;
  /** Which of the tables has it. */
  readonly table: number;
};

/** A week: the ECB's longest publishing gap, around Easter and Christmas, is five days. */
const HOLDS_MAX_DAYS = 7;

/** After the last day that a warehouse date can hold. */
const NEVER = 65_535;

/**
 * The days on which each published rate applies, ascending and disjoint. Where several tables have one, the first wins.
 *
 * - Shape: a rate applies until the next one of its table, across weekends and holidays. When a currency's rates stop (it
 *   joined the euro, or is no longer quoted), the last one expires after a week. Rates of a table's own last day apply
 *   until newer rates are loaded.
 * - Source: the ECB publishes on business days; other days use the previous business day's rate.
 */
export function toRateSpans(tables: readonly ExchangeRates[], code: string): readonly RateSpan[] {
  return tables.map((rates, table) => spansIn(rates, code, table)).reduce(fillGaps, []);
}

function spansIn(rates: ExchangeRates, code: string, table: number): readonly RateSpan[] {
  const own = rates.perEuroByCode.get(code);
  if (own === undefined) return [];
  const days = [...own.keys()].toSorted((a, b) => a - b);
  const lastDay = rates.days.at(-1);
  return days.map((startsOn, index) => {
    const next = days[index + 1] ?? (startsOn === lastDay ? NEVER : startsOn + HOLDS_MAX_DAYS);
    const endsOn = next === NEVER ? NEVER : Math.min(next, startsOn + HOLDS_MAX_DAYS);
    return { startsOn, endsOn, perEuro: own.get(startsOn) ?? 0, table };
  });
}

/** The spans, and those parts of others that lie between them. */
function fillGaps(spans: readonly RateSpan[], others: readonly RateSpan[]): readonly RateSpan[] {
  const gaps = [...spans, { startsOn: NEVER, endsOn: NEVER }]
    .map(({ startsOn }, index) => ({ from: spans[index - 1]?.endsOn ?? 0, to: startsOn }))
    .filter(({ from, to }) => from < to);
  const filling = others.flatMap((other) =>
    gaps
      .filter(({ from, to }) => from < other.endsOn && other.startsOn < to)
      .map(({ from, to }) => ({
        ...other,
        startsOn: Math.max(from, other.startsOn),
        endsOn: Math.min(to, other.endsOn),
      })),
  );
  return [...spans, ...filling].toSorted((a, b) => a.startsOn - b.startsOn);
}

/** The rates of both tables. For a day in both, the newer table wins, by its currencies. */
export function joinRates(older: ExchangeRates, newer: ExchangeRates): ExchangeRates {
  const days = [...new Set([...older.days, ...newer.days])].toSorted((a, b) => a - b);
  const [old, own] = [older.perEuroByCode, newer.perEuroByCode];
  const given = new Set(newer.days);
  const perEuroByCode = new Map(
    [...new Set([...old.keys(), ...own.keys()])].map((code) => {
      const kept = [...(old.get(code) ?? [])].filter(([day]) => !own.has(code) || !given.has(day));
      return [code, new Map([...kept, ...(own.get(code) ?? [])])] as const;
    }),
  );
  return { days, perEuroByCode };
}

/** Currencies that have rates and that payments can use, including the euro. */
export function codesOf(tables: readonly ExchangeRates[]): readonly string[] {
  const codes = new Set(tables.flatMap(({ perEuroByCode }) => [...perEuroByCode.keys()]));
  return [...codes].filter((code) => findCurrency(code) !== undefined);
}

/** The first day on which payments are converted otherwise than before; undefined if there is none. */
export function findFirstChange(before: ExchangeRates, after: ExchangeRates): number | undefined {
  const codes = new Set([...before.perEuroByCode.keys(), ...after.perEuroByCode.keys()]);
  const isChanged = (day: number) =>
    [...codes].some(
      (code) =>
        before.perEuroByCode.get(code)?.get(day) !== after.perEuroByCode.get(code)?.get(day),
    );
  const first = Math.min(...[...before.days, ...after.days].filter(isChanged));
  // The last rates had applied until the new ones came.
  return first === Infinity ? undefined : Math.min(first, (before.days.at(-1) ?? first) + 1);
}
