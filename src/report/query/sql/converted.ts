import type { Bind } from '../../dimension.ts';
import type { CurrencyRates } from '../money-rates.ts';
import type { Scope } from '../plan/plan.ts';
import { zoneSql } from './rows.ts';

/** A rate of the table's last day, or one over a long holiday, is reported when it is older than that. */
export const FRESH_DAYS = 7;

/**
 * SQL of payments and refunds in the site's currency. Beside the rows' own columns:
 *
 * - `amount_minor`: converted at the rate of the payment's day in the site's zone; 0 without a rate.
 * - `is_converted`: 1 when it is in the site's currency now.
 * - `amount_before`: of a refund, what its payment's refunds before it came to, in the same units; only
 *   where `tellsBefore`.
 *
 * - Units: minor units, whole numbers throughout. Rounded to the nearest, halves up.
 * - Shape: `payments` are rows with `kind`, `transaction_id`, `currency`, `paid_at`, `raw_minor`.
 * - Why a refund is what its payment's refunds are worth with it less what they were without it: so
 *   refunds in parts come to no cent more or less than the payment did.
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
 * SQL of a currency's rate on the day `paid_on`, as {@link CurrencyRates} has it; 0 on days without one.
 *
 * Why bound values and no join with the table of rates: to plan the join takes the engine longer than to convert.
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

/** SQL of what was paid back of the same payment before each refund. */
function earlierRefundsSql({ site }: Scope, bind: Bind): string {
  return `
      SELECT transaction_id AS refund_id, sum(toInt128(amount_minor)) OVER (
          PARTITION BY if(original_transaction_id = '', transaction_id, original_transaction_id)
          ORDER BY occurred_at, transaction_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before_minor
      FROM payments FINAL
      WHERE site_id = ${bind(site.id, 'String')} AND kind = 'refund'`;
}
