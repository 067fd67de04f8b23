import { findVisitorId, VISITOR_ID_NAMES } from '#providers/visitor-id.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import { type Format, leftOut, type Reading } from './format.ts';
import { firstOf, readAmount, toUtc } from './read-cells.ts';

const METADATA = VISITOR_ID_NAMES.map((name) => `payment_metadata[${name}]`);

/**
 * Stripe's itemised balance report: Dashboard → Reports → Balance → Download, "Balance change from activity".
 *
 * - A charge counts as the customer paid it, if the report has `customer_facing_amount`; `gross` is in the currency of
 *   the account. A refund is in that currency only: one of a payment in another is refused by the ledger.
 * - Disputes are refunds here: the report has no id that a connected account knows them by.
 * - Source: columns of report type `balance_change_from_activity.itemized` in public code.
 */
export const stripeBalance: Format = {
  name: 'stripe',
  title: 'Stripe’s itemised balance report',
  required: [
    ...[['balance_transaction_id'], ['created_utc', 'created'], ['currency'], ['gross']],
    ['reporting_category'],
    ['source_id'],
  ],
  optional: [
    ...['charge_id', 'payment_intent_id', 'customer_facing_amount', 'customer_facing_currency'],
    ...['customer_id', 'customer_email', 'customer_name', 'subscription_id', ...METADATA],
  ],
  columns: {
    ...{ transaction_id: 'source_id', amount: 'gross', currency: 'currency' },
    ...{ timestamp: 'created_utc', refunded_at: 'created_utc', email: 'customer_email' },
    ...{ customer_id: 'customer_id', name: 'customer_name', subscription_id: 'subscription_id' },
    ...{ original_transaction_id: 'charge_id', service_visitor_id: METADATA[0] as string },
  },
  read,
};

function read(row: Row): Reading {
  switch (row('reporting_category')) {
    case 'charge':
      return readCharge(row);
    case 'refund':
    case 'dispute':
      return readRefund(row);
    default:
      return leftOut(`category ${row('reporting_category') || 'missing'}`);
  }
}

function readCharge(row: Row): Reading {
  const faults: CellFault[] = [];
  const isFacing = row('customer_facing_amount') !== '' && row('customer_facing_currency') !== '';
  const currency = row(isFacing ? 'customer_facing_currency' : 'currency');
  const column = isFacing ? 'customer_facing_amount' : 'gross';
  const payment = {
    ...{ transaction_id: idOfPayment(row) || row('source_id'), currency, ...payerOf(row) },
    ...{ amount: readAmount(row, [column, currency], faults), timestamp: timeOf(row) },
  };
  return { kind: 'reports', reports: [payment], faults };
}

function readRefund(row: Row): Reading {
  const faults: CellFault[] = [];
  const currency = row('currency');
  const refund = {
    ...{ transaction_id: row('source_id'), original_transaction_id: idOfPayment(row), currency },
    ...{ amount: readAmount(row, ['gross', currency], faults).replace('-', ''), refunded: true },
    ...{ refunded_at: timeOf(row), ...payerOf(row) },
  };
  return { kind: 'reports', reports: [refund], faults };
}

/** The UTC column, or else the report's own time, which is read in the site's time zone. */
function timeOf(row: Row): string {
  return toUtc(row('created_utc')) || row('created');
}

const idOfPayment = (row: Row) => firstOf(row, 'payment_intent_id', 'charge_id');

function payerOf(row: Row) {
  const attached = VISITOR_ID_NAMES.map((name) => [name, row(`payment_metadata[${name}]`)]);
  return {
    ...{ email: row('customer_email'), customer_id: row('customer_id') },
    ...{ name: row('customer_name'), subscription_id: row('subscription_id') },
    service_visitor_id: findVisitorId(Object.fromEntries(attached)),
  };
}
