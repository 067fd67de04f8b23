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
 * - `is_converted`: 1 when it is in the site's currency now; else `other_minor` is what was paid.
 * - `amount_before`, `other_before`: of a refund, what its payment's refunds before it came to, in the
 *   same units; known only where `tellsBefore`.
 * - `is_late`: 1 when the rate is the last one known and older than a week.
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
  const knowsBefore = tellsBefore || isConverted;
  const before = knowsBefore ? 'toInt128(earlier.before_minor)' : 'toInt128(0)';
  const refunds = knowsBefore
    ? `LEFT JOIN (${earlierRefundsSql(scope, bind)}) AS earlier
      ON if(paid.kind = 'refund', paid.transaction_id, '') = earlier.refund_id`
    : '';
  if (!isConverted) {
    return `
    SELECT paid.*, 1 AS is_converted, 0 AS is_late,
      toInt128(raw_minor) AS amount_minor, toInt128(0) AS other_minor,
      ${before} AS amount_before, toInt128(0) AS other_before
    FROM (${payments}) AS paid ${refunds}`;
  }
  const toSite = (amount: string) =>
    `if(paid.currency = ${site}, ${amount}, intDiv(2 * ${amount} * site_per_euro + own_per_euro, 2 * greatest(own_per_euro, 1)))`;
  const exponent = findCurrency(currency)?.exponent ?? 0;
  const foreign = `currency IN ${bind(scope.currencies, 'Array(String)')}`;
  return `
    SELECT paid.* EXCEPT (site_currency, paid_on), ${before} AS before_minor,
      toUInt8(paid.currency = ${site} OR (own_per_euro > 0 AND site_per_euro > 0
        AND paid_on < own_ends_on AND paid_on < site_ends_on)) AS is_converted,
      paid.currency != ${site} AND is_converted = 1
        AND paid_on >= least(own_starts_on, site_starts_on) + ${FRESH_DAYS} AS is_late,
      if(is_converted = 1, ${toSite('(before_minor + raw_minor)')} - ${toSite('before_minor')},
        toInt128(0)) AS amount_minor,
      if(is_converted = 1, toInt128(0), toInt128(raw_minor)) AS other_minor,
      if(is_converted = 1, ${toSite('before_minor')}, toInt128(0)) AS amount_before,
      if(is_converted = 1, toInt128(0), before_minor) AS other_before
    FROM (
      SELECT *, ${site} AS site_currency,
        toDate(paid_at, ${zoneSql(timezone, bind)}) AS paid_on
      FROM (${payments})
    ) AS paid ${refunds}
    ASOF LEFT JOIN (${ratesSql('own', 'own_currency', foreign)}) AS own
      ON paid.currency = own.own_currency AND paid.paid_on >= own.own_starts_on
    ASOF LEFT JOIN (${ratesSql('site', 'rate_currency', `currency = ${site}`, exponent)}) AS rate
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
