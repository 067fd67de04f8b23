import { findVisitorId, VISITOR_ID_NAMES } from '#providers/visitor-id.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import { type Format, faulty, leftOut, type Reading } from './format.ts';
import { firstOf, readAmount, toUtc } from './read-cells.ts';

const CREATED = ['Created date (UTC)', 'Created (UTC)'];
const REFUNDED_AT = ['Refunded date (UTC)', 'Refunded (UTC)'];
const METADATA = VISITOR_ID_NAMES.map((name) => `${name} (metadata)`);

const PAID = ['paid', 'refunded', 'partial refund', 'partially refunded', 'disputed', 'succeeded'];
const NOT_PAID = [
  'failed',
  'canceled',
  'incomplete',
  'pending',
  'blocked',
  'uncaptured',
  'expired',
];

/**
 * Stripe's export of payments: Dashboard → Transactions → Payments → Export, with all columns.
 *
 * - The id is the PaymentIntent's, as of a connected Stripe account, else the charge's.
 * - A refund without a date counts on the day of its payment. "Subscription update" is what Stripe writes on renewals.
 * - Source: headers of exports in public code. Of "Status", only Paid, Refunded and Failed were seen there; the other
 *   words are those of the Dashboard. Status words that are not known are faults, so that no money is lost in silence.
 */
export const stripePayments: Format = {
  name: 'stripe',
  title: 'Stripe’s export of payments',
  required: [['id'], CREATED, ['Amount'], ['Currency'], ['Status']],
  optional: [
    ...['Amount Refunded', ...REFUNDED_AT, 'PaymentIntent ID', 'Captured', 'Mode', 'Description'],
    ...['Customer ID', 'Customer Email', ...METADATA],
  ],
  columns: {
    ...{ transaction_id: 'id', amount: 'Amount', currency: 'Currency', email: 'Customer Email' },
    ...{ customer_id: 'Customer ID', timestamp: 'Created date (UTC)' },
    ...{ refunded_at: 'Refunded date (UTC)', service_visitor_id: METADATA[0] as string },
  },
  read,
};

function read(row: Row): Reading {
  const status = row('Status').toLowerCase();
  if (row('Mode').toLowerCase() === 'test') return leftOut('made in test mode');
  if (NOT_PAID.includes(status) || status.startsWith('requires'))
    return leftOut(`status ${status}`);
  if (row('Captured').toLowerCase() === 'false') return leftOut('not captured');
  if (!PAID.includes(status)) {
    return faulty('Status', `must be one of ${[...PAID, ...NOT_PAID].join(', ')}`);
  }
  const faults: CellFault[] = [];
  const currency = row('Currency');
  const payment = {
    transaction_id: firstOf(row, 'PaymentIntent ID', 'id'),
    amount: readAmount(row, ['Amount', currency], faults),
    currency,
    timestamp: toUtc(firstOf(row, ...CREATED)),
    email: row('Customer Email'),
    customer_id: row('Customer ID'),
    service_visitor_id: findVisitorId(
      Object.fromEntries(VISITOR_ID_NAMES.map((name) => [name, row(`${name} (metadata)`)])),
    ),
    renewal: row('Description') === 'Subscription update',
  };
  const back = row('Amount Refunded') && readAmount(row, ['Amount Refunded', currency], faults);
  if (Number(back) === 0) return { kind: 'reports', reports: [payment], faults };
  const refundedAt = toUtc(firstOf(row, ...REFUNDED_AT));
  const refund = { ...payment, amount: back, refunded: true };
  const refunded_at = refundedAt || payment.timestamp;
  return { kind: 'reports', reports: [payment, { ...refund, refunded_at }], faults };
}
