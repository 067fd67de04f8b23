import { DAY_MS } from '../../time/durations.ts';
import { zonedAt } from '../../time/period.ts';
import { findCurrency } from '../currencies.ts';
import type { RateSpan } from './exchange-rates.ts';

/** Where a rate comes from: the site's currency, the payment's provider, a table of {@link RATE_TABLES}, or nowhere. */
type RateSource = 'same' | 'provider' | (typeof RATE_TABLES)[number] | 'none';

/** The tables of rates, the first one first. */
const RATE_TABLES = ['ecb', 'other'] as const;

/** How a payment becomes money of its site: by `factor / divisor`. Both are 0 without a rate. */
export type Rate = {
  readonly factor: bigint;
  readonly divisor: bigint;
  /** By how many days the payment is later than its rate. */
  readonly ageDays: number;
  readonly source: RateSource;
};

/** The rate of money that is in the currency already. */
export const SAME: Rate = { factor: 1n, divisor: 1n, ageDays: 0, source: 'same' };
const NONE: Rate = { factor: 0n, divisor: 0n, ageDays: 0, source: 'none' };

/** One of the two places that a row has for money in a site's currency. */
export type MoneyPlace = 0 | 1;

/** The currency in which a site's money is shown, and the zone whose days decide the rates. */
export type ShownIn = { readonly currency: string; readonly timezone: string };

/** Money and when it was paid, in milliseconds. A provider may have converted it: "EUR 0.92", for one unit. */
export type Paid = {
  readonly currency: string;
  readonly at: number;
  readonly providerRate?: string | undefined;
};

/**
 * Finds the rate of a payment: its provider's, if that leads to the site's currency, or that of its day in the site's
 * zone. `spansOf` has each currency's rates.
 */
export function findRate(
  { currency, at, providerRate }: Paid,
  shown: ShownIn,
  spansOf: (code: string) => readonly RateSpan[],
): Rate {
  if (currency === shown.currency) return SAME;
  const [target, rate = ''] = providerRate?.split(' ') ?? [];
  if (target === shown.currency) return toRate(rate, currency, target);
  const day = dayAt(at, shown.timezone);
  const [from, to] = [currency, shown.currency].map((code) => findSpan(spansOf(code), day));
  if (from === undefined || to === undefined) return NONE;
  const [older] = [from, to].toSorted((a, b) => a.startsOn - b.startsOn);
  return {
    factor: toMinor(to, shown.currency),
    divisor: toMinor(from, currency),
    ageDays: day - (older?.startsOn ?? day),
    source: RATE_TABLES[Math.max(from.table, to.table)] ?? 'none',
  };
}

/** Converts whole minor units, rounded half up; to 0 without a rate. */
export function convert(minor: bigint, { factor, divisor }: Rate): bigint {
  return divisor === 0n ? 0n : (2n * minor * factor + divisor) / (2n * divisor);
}

/** A provider's rate, a decimal. */
function toRate(text: string, from: string, to: string): Rate {
  const [whole = '', decimals = ''] = text.split('.');
  return {
    factor: BigInt(whole + decimals) * unitOf(to),
    divisor: 10n ** BigInt(decimals.length) * unitOf(from),
    ...{ ageDays: 0, source: 'provider' },
  };
}

/** The value of a million euros in the currency's minor units. */
function toMinor({ perEuro }: RateSpan, code: string): bigint {
  return BigInt(perEuro) * unitOf(code);
}

/** A unit of the currency in its minor units. */
function unitOf(code: string): bigint {
  return 10n ** BigInt(findCurrency(code)?.exponent ?? 0);
}

function findSpan(spans: readonly RateSpan[], day: number): RateSpan | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.endsOn ?? 0) > day) high = middle;
    else low = middle + 1;
  }
  const found = spans[low];
  return found !== undefined && found.startsOn <= day ? found : undefined;
}

/** Zones change their offset at quarters of an hour. */
const QUARTER_MS = 900_000;
let lastQuarter = { timeZone: '', at: 0, offsetMs: 0 };

/** The day in a zone. Payments come in the order of their instants, and asking for the offset takes the most time. */
function dayAt(at: number, timeZone: string): number {
  const quarter = Math.floor(at / QUARTER_MS);
  if (lastQuarter.timeZone !== timeZone || lastQuarter.at !== quarter) {
    const offsetMs = zonedAt(at, timeZone).offsetNanoseconds / 1_000_000;
    lastQuarter = { timeZone, at: quarter, offsetMs };
  }
  return Math.floor((at + lastQuarter.offsetMs) / DAY_MS);
}
