import { moneyColumn } from '#contract/rows/add-money.ts';
import type { SiteMoney } from '#contract/rows/payment-row.ts';
import type { ReportSite } from '../../ports.ts';
import type { Scope } from '../plan/plan.ts';

/** Rates older than this are reported: the table's last one, or one before a long holiday. */
const FRESH_DAYS = 7;

/** SQL for a row's money in the currency that the site shows. */
function ofSite({ shown }: ReportSite, name: keyof SiteMoney): string {
  return moneyColumn(name, shown?.place ?? 0);
}

/** SQL condition for rows of `payments` without a rate. */
export function isUnconverted(site: ReportSite): string {
  return `${ofSite(site, 'rate')} = 0`;
}

/** SQL condition for rows of `payments` that an old rate converted. */
export function isLate(site: ReportSite): string {
  return `${ofSite(site, 'rate_days')} >= ${FRESH_DAYS}`;
}

/**
 * SQL for the money of rows of `payments` and `costs` in the currency that the site shows:
 *
 * - `shown_minor`: in whole minor units; 0 without a rate. `raw_minor` is in the currency that was paid.
 * - `shown_before`: for a refund, the sum of its payment's earlier refunds.
 * - `is_converted`: 1 if it is in the site's currency now.
 */
export function moneyColumns({ site, isAsPaid = false }: Scope): string {
  const minor = isAsPaid ? 'amount_minor' : ofSite(site, 'site_minor');
  const isConverted = isAsPaid ? '1' : `${ofSite(site, 'rate')} > 0`;
  return `amount_minor AS raw_minor, toInt128(${minor}) AS shown_minor, ${isConverted} AS is_converted,
      ${ofSite(site, 'earlier_minor')} AS shown_before`;
}
