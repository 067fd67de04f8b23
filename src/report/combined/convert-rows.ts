import type { MetricValue } from '#contract/query.ts';
import { convert, findRate, type Rate } from '#domain/money/rates/convert-money.ts';
import type { RateSpan } from '#domain/money/rates/exchange-rates.ts';
import { fromMoney } from '../query/shape/to-answer-row.ts';

/** A value that adds up: a count, or money in millionths of the chosen currency's minor unit. */
export type Summand = number | bigint;

/** A row of one site, under what it is added up by. */
export type KeyedRow = { readonly key: string; readonly values: readonly Summand[] };

/** How money becomes that of the chosen currency. */
export type Conversion = {
  readonly from: string;
  readonly to: string;
  readonly spansOf: (code: string) => readonly RateSpan[];
};

/** A minor unit, in the millionths that are added up: only sums are rounded. */
export const MICROS = 1_000_000n;

/** The rate of a day, `2026-11-21`: of the days as the site's own zone has them. */
export function rateOn(day: string, { from, to, spansOf }: Conversion): Rate {
  const at = Date.parse(`${day}T00:00:00Z`);
  return findRate({ currency: from, at }, { currency: to, timezone: 'UTC' }, spansOf);
}

/** A row's values, its money converted. Without a rate, money is 0. */
export function toSummands(metrics: readonly MetricValue[], rate: Rate): readonly Summand[] {
  return metrics.map((value) => {
    if (typeof value !== 'object' || value === null) return value ?? 0;
    return convertSigned(fromMoney(value) * MICROS, rate);
  });
}

/** Rounds refunds as the mirror image of payments. */
function convertSigned(micros: bigint, rate: Rate): bigint {
  return micros < 0n ? -convert(-micros, rate) : convert(micros, rate);
}

/** The rows added up by their keys. */
export function addUp(rows: Iterable<KeyedRow>): Map<string, readonly Summand[]> {
  const sums = new Map<string, readonly Summand[]>();
  for (const { key, values } of rows) {
    const before = sums.get(key);
    sums.set(key, before === undefined ? values : values.map((each, at) => plus(before[at], each)));
  }
  return sums;
}

function plus(one: Summand | undefined, other: Summand): Summand {
  return typeof other === 'bigint'
    ? BigInt(one ?? 0) + other
    : Math.round((Number(one ?? 0) + other) * 100) / 100;
}
