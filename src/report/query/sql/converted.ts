import { findCurrency } from '#domain/money/currencies.ts';
import type { Bind } from '../../dimension.ts';
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
  const { currency, timezone } = scope.site;
  const site = bind(currency, 'String');
  const isConverted = scope.currencies.length > 0;
  const refunds = `LEFT JOIN (${earlierRefundsSql(scope, bind)}) AS earlier
      ON if(paid.kind = 'refund', paid.transaction_id, '') = earlier.refund_id`;
  if (!isConverted) {
    return `
    SELECT paid.*, 1 AS is_converted, toInt128(raw_minor) AS amount_minor
      ${tellsBefore ? ', toInt128(earlier.before_minor) AS amount_before' : ''}
    FROM (${payments}) AS paid ${tellsBefore ? refunds : ''}`;
  }
  // Of the site's own money as it is; 0 without a rate.
  const toSite = (amount: string) =>
    `intDiv(2 * ${amount} * factor + divisor, 2 * greatest(divisor, 1))`;
  const exponent = findCurrency(currency)?.exponent ?? 0;
  // Rates are to the euro, which has one on every day that another currency does.
  const isEuro = currency === 'EUR';
  const foreign = `currency IN ${bind(scope.currencies, 'Array(String)')}`;
  return `
    SELECT * EXCEPT (site_currency, paid_on, before_minor, divisor, factor),
      factor > 0 AS is_converted,
      ${toSite('(before_minor + raw_minor)')} - ${toSite('before_minor')} AS amount_minor
      ${tellsBefore ? `, ${toSite('before_minor')} AS amount_before` : ''}
    FROM (
      SELECT paid.*, toInt128(earlier.before_minor) AS before_minor,
        if(paid.currency = ${site}, 1, own_per_euro) AS divisor,
        multiIf(paid.currency = ${site}, 1,
          own_per_euro = 0 OR paid_on >= own_ends_on ${isEuro ? '' : 'OR paid_on >= site_ends_on'}, 0,
          ${isEuro ? PER_EURO * 10 ** exponent : 'site_per_euro'}) AS factor
      FROM (
        SELECT *, ${site} AS site_currency, toDate(paid_at, ${zoneSql(timezone, bind)}) AS paid_on
        FROM (${payments})
      ) AS paid ${refunds}
      ASOF LEFT JOIN (${ratesSql('own', 'own_currency', foreign)}) AS own
        ON paid.currency = own.own_currency AND paid.paid_on >= own.own_starts_on
      ${isEuro ? '' : joinSiteRates(site, exponent)}
    )`;
}

/** Of a unit of the euro, in the table of rates. */
const PER_EURO = 1_000_000;

/** SQL that joins payments with the rate of the site's currency. */
function joinSiteRates(site: string, exponent: number): string {
  return `ASOF LEFT JOIN (${ratesSql('site', 'rate_currency', `currency = ${site}`, exponent)}) AS rate
        ON paid.site_currency = rate.rate_currency AND paid.paid_on >= rate.site_starts_on`;
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

/**
 * SQL of spans of days with their rate: columns `P_starts_on`, `P_ends_on`, `P_per_euro` for a prefix
 * P, in the currency's minor units (to a million euros), as exponents differ.
 */
function ratesSql(prefix: string, currency: string, which: string, exponent?: number): string {
  return `
    SELECT currency AS ${currency}, span.1 AS ${prefix}_starts_on, span.2 AS ${prefix}_ends_on,
      toInt128(span.3) * toInt128(exp10(${exponent ?? 'exponent'})) AS ${prefix}_per_euro
    FROM rates FINAL ARRAY JOIN arrayZip(starts_on, ends_on, per_euro) AS span
    WHERE ${which}`;
}
