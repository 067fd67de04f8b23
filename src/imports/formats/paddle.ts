import { findCurrency } from '#domain/money/currencies.ts';
import { findVisitorId } from '#providers/visitor-id.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import { type Format, leftOut, type Reading, type ReadingOptions } from './format.ts';
import { firstOf, readAmount, toUtc } from './read-cells.ts';

const ID = ['id', 'transaction_id'];
const STATUS = ['status', 'transaction_status'];
const TOTAL = ['grand_total', 'total'];

/**
 * Paddle Billing's report of transactions: Paddle → Reports → Transactions.
 *
 * - What completed counts. Refunds are in another report, of adjustments: they are not read.
 * - Source: Paddle's docs list the columns by what they hold, and say that headings "mirror fields in the Paddle API".
 *   The headings themselves were not seen, nor whether amounts are cents, as in the API: a file in which no amount has
 *   decimals is refused until somebody says so.
 */
export const paddleTransactions: Format = {
  name: 'paddle',
  title: 'Paddle’s report of transactions',
  required: [ID, STATUS, ['currency_code'], TOTAL, ['created_at', 'billed_at'], ['customer_id']],
  optional: ['customer_email', 'subscription_id', 'origin', 'custom_data', 'product_name'],
  columns: {
    ...{ transaction_id: 'id', amount: 'grand_total', currency: 'currency_code' },
    ...{ timestamp: 'billed_at', email: 'customer_email', customer_id: 'customer_id' },
    ...{ subscription_id: 'subscription_id', service_visitor_id: 'custom_data' },
    product: 'product_name',
  },
  leavesOpen: {
    option: 'amounts',
    find(row) {
      const total = firstOf(row, ...TOTAL);
      const { exponent = 2 } = findCurrency(row('currency_code').toUpperCase()) ?? {};
      if (exponent === 0 || /^0*$/.test(total)) return undefined; // The same in units and in cents.
      return /[.,]\d{1,2}$/.test(total) ? 'units' : 'unclear';
    },
    otherwise: 'No amount has decimals: say --amounts minor if 2900 is 29.00, or --amounts units.',
  },
  read,
};

function read(row: Row, { amounts }: ReadingOptions): Reading {
  const status = firstOf(row, ...STATUS).toLowerCase();
  if (status !== 'completed') return leftOut(`status ${status}`);
  const origin = row('origin').toLowerCase();
  if (origin === 'subscription_payment_method_change') {
    return leftOut('changes how a subscription is paid');
  }
  const faults: CellFault[] = [];
  const currency = row('currency_code');
  const column = TOTAL.find((name) => row(name) !== '') ?? 'grand_total';
  const written = readAmount(row, [column, currency], faults);
  const { exponent = 2 } = findCurrency(currency.toUpperCase()) ?? {};
  const payment = {
    ...{ transaction_id: firstOf(row, ...ID), currency, customer_id: row('customer_id') },
    amount: amounts === 'minor' ? toUnits(written, exponent) : written,
    timestamp: toUtc(firstOf(row, 'billed_at', 'created_at')),
    ...{ email: row('customer_email'), subscription_id: row('subscription_id') },
    renewal: origin === 'subscription_recurring' || origin === 'scheduled subscription renewal',
    service_visitor_id: findVisitorId(row('custom_data')),
    product: row('product_name'),
  };
  return { kind: 'reports', reports: [payment], faults };
}

function toUnits(minor: string, exponent: number): string {
  if (exponent === 0 || !/^\d+$/.test(minor)) return minor;
  const digits = minor.padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
