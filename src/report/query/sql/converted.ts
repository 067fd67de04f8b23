import { type Bind, zoneSql } from '../../dimension.ts';
import type { Scope } from '../plan/plan.ts';
import type { CurrencyRates } from '../query.ts';

/** The table's last rate, or one before a long holiday, is reported if it is older than this. */
export const FRESH_DAYS = 7;

/**
 * SQL for payments and refunds in the site's currency. In addition to the rows' columns:
 *
 * - `amount_minor`: converted at the rate of the payment's day in the site's zone; 0 without a rate.
 * - `is_converted`: 1 if it is in the site's currency now.
 * - `amount_before`: for a refund, the sum of its payment's earlier refunds, in the same units; only with
 *   `tellsBefore`.
 *
 * - Units: minor units, whole numbers throughout. Rounded to the nearest, halves up.
 * - Shape: `payments` are rows with `kind`, `transaction_id`, `currency`, `paid_at`, `raw_minor`.
 * - Why a refund is its payment's converted refunds with it less those without it: partial refunds then add up to the
 *   payment, to the cent.
 */
export function convertedSql(
  payments: string,
  scope: Scope,
  { bind, tellsBefore }: { readonly bind: Bind; readonly tellsBefore: boolean },
): string {
  const { site, rates } = scope;
  const own = bind(site.currency, 'String');
  const refunds = `LEFT JOIN (${earlierRefundsSql(scope, bind)}) AS earlier
      ON if(paid.kind = 'refund', paid.transaction_id, '') = earlier.refund_id`;
  if (rates.foreign.length === 0) {
    return `
    SELECT paid.*, 1 AS is_converted, toInt128(raw_minor) AS amount_minor
      ${tellsBefore ? ', toInt128(earlier.before_minor) AS amount_before' : ''}
    FROM (${payments}) AS paid ${tellsBefore ? refunds : ''}`;
  }
  const toSite = (amount: string) =>
    `intDiv(2 * ${amount} * factor + divisor, 2 * greatest(divisor, 1))`;
  const perEuro = `multiIf(${rates.foreign
    .map((money) => `currency = ${bind(money.currency, 'String')}, ${perEuroSql(money, bind)}`)
    .join(', ')}, toInt64(0))`;
  return `
    SELECT * EXCEPT (paid_on, before_minor, divisor, factor),
      factor > 0 AS is_converted,
      ${toSite('(before_minor + raw_minor)')} - ${toSite('before_minor')} AS amount_minor
      ${tellsBefore ? `, ${toSite('before_minor')} AS amount_before` : ''}
    FROM (
      SELECT paid.*, toInt128(earlier.before_minor) AS before_minor,
        toInt32(toDate(paid_at, ${zoneSql(site.timezone, bind)})) AS paid_on,
        if(currency = ${own}, toInt64(1), ${perEuro}) AS divisor,
        multiIf(currency = ${own}, toInt64(1), divisor = 0, toInt64(0), ${perEuroSql(rates.own, bind)}) AS factor
      FROM (${payments}) AS paid ${refunds}
    )`;
}

/**
 * SQL for a currency's rate on the day `paid_on`, from {@link CurrencyRates}; 0 on days without one.
 *
 * Why bound values and not a join with the rates: planning the join takes the engine longer than the conversion.
 */
function perEuroSql({ spans }: CurrencyRates, bind: Bind): string {
  const steps = [{ on: 0, perEuro: 0 }];
  for (const { startsOn, endsOn, perEuro } of spans) {
    if (steps.at(-1)?.on === startsOn) steps.pop(); // No gap before it.
    steps.push({ on: startsOn, perEuro }, { on: endsOn, perEuro: 0 });
  }
  const days = bind(
    steps.map(({ on }) => on),
    'Array(Int32)',
  );
  const rates = bind(
    steps.map(({ perEuro }) => perEuro),
    'Array(Int64)',
  );
  return `transform(roundDown(paid_on, ${days}), ${days}, ${rates}, toInt64(0))`;
}

/** SQL for the sum of the same payment's refunds before each refund. */
function earlierRefundsSql({ site }: Scope, bind: Bind): string {
  return `
      SELECT transaction_id AS refund_id, sum(toInt128(amount_minor)) OVER (
          PARTITION BY if(original_transaction_id = '', transaction_id, original_transaction_id)
          ORDER BY occurred_at, transaction_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before_minor
      FROM payments FINAL
      WHERE site_id = ${bind(site.id, 'String')} AND kind = 'refund'`;
}
