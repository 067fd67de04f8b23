import {
  convert,
  findRate,
  type MoneyPlace,
  type Rate,
  SAME,
  type ShownIn,
} from '#domain/money/rates/convert-money.ts';
import type { RateSpan } from '#domain/money/rates/exchange-rates.ts';
import type { CostRow } from './cost-row.ts';
import type { PaymentRow, SiteMoney } from './payment-row.ts';

/** The place that reports read, and while the site's currency changes, also that of its next currency. */
export type Shown = readonly (ShownIn & { readonly place: MoneyPlace })[];

/** SQL for a column with money of a place. */
export function moneyColumn(name: keyof SiteMoney, place: MoneyPlace): string {
  return `${name}_${place}`;
}

/**
 * Adds the money in the site's currency to all rows of one payment, deleted ones aside. In every place:
 *
 * - `site_minor`: the amount, at the rate of its provider, or of the payment's day in the site's zone; 0 without a rate.
 * - `earlier_minor`: of a refund, the sum of the payment's refunds before it; without a rate in its own currency.
 * - `rate`, `rate_source` and `rate_days`: the rate, 0 without one; its source; how much older it is, in days.
 *
 * What is as it was paid has only `earlier_minor` in place 0: the table's defaults are the rest, and most money is.
 *
 * - Why a refund is the payment's converted refunds with it less those without it: partial refunds then add up to the
 *   payment, to the cent.
 */
export function addMoney(
  rows: readonly PaymentRow[],
  shown: Shown,
  spansOf: (code: string) => readonly RateSpan[],
  providerRate?: string,
): object[] {
  const earlier = new Map<PaymentRow, bigint>();
  let sum = 0n;
  for (const row of rows.filter(isRefund).toSorted(byTime)) {
    earlier.set(row, sum);
    sum += BigInt(row.amount_minor);
  }
  const [first] = rows;
  if (first === undefined) return [];
  const paid = { currency: first.currency, at: first.paid_at, providerRate };
  const rates = shown.map((each) => [each.place, findRate(paid, each, spansOf)] as const);
  return rows.map((row) => {
    const of = { minor: BigInt(row.amount_minor), earlier: earlier.get(row) ?? 0n };
    return addColumns({ ...row }, of, rates);
  });
}

/** Adds the money in the site's currency to a cost, at the rate of its day, in the same columns. */
export function addMoneyToCost(
  row: CostRow,
  shown: Shown,
  spansOf: (code: string) => readonly RateSpan[],
): object {
  const spent = { currency: row.currency, at: Date.parse(row.day) };
  const rates = shown.map(({ currency, place }) => {
    return [place, findRate(spent, { currency, timezone: 'UTC' }, spansOf)] as const;
  });
  return addColumns({ ...row }, { minor: BigInt(row.amount_minor), earlier: 0n }, rates);
}

type Amounts = { readonly minor: bigint; readonly earlier: bigint };

function addColumns(
  row: Record<string, unknown>,
  of: Amounts,
  rates: readonly (readonly [MoneyPlace, Rate])[],
): object {
  for (const [place, rate] of rates) {
    const money = toMoney(of, rate, place);
    for (const name in money) row[`${name}_${place}`] = money[name as keyof SiteMoney];
  }
  return row;
}

function toMoney(of: Amounts, rate: Rate, place: MoneyPlace): Partial<SiteMoney> {
  if (place === 0 && rate === SAME) return { earlier_minor: toEarlier(of.earlier) };
  const isKnown = rate.source !== 'none';
  const earlier = isKnown ? convert(of.earlier, rate) : of.earlier;
  const minor = isKnown ? convert(of.earlier + of.minor, rate) - earlier : 0n;
  return {
    site_minor: `${minor}`,
    earlier_minor: toEarlier(earlier),
    rate: isKnown ? Number(rate.factor) / Number(rate.divisor) : 0,
    rate_source: rate.source,
    rate_days: rate.ageDays || undefined,
  };
}

const toEarlier = (minor: bigint) => (minor === 0n ? undefined : `${minor}`);

function isRefund({ kind, is_deleted }: PaymentRow): boolean {
  return kind === 'refund' && is_deleted === undefined;
}

/** In the order of their instants, and then of their ids' bytes. */
function byTime(a: PaymentRow, b: PaymentRow): number {
  if (a.occurred_at !== b.occurred_at) return a.occurred_at - b.occurred_at;
  return Buffer.compare(Buffer.from(a.transaction_id), Buffer.from(b.transaction_id));
}
