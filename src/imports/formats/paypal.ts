import { toVisitorId } from '#providers/visitor-id.ts';
import type { CellFault, Row } from '../csv/read-table.ts';
import { type Format, faulty, leftOut, type Reading, type ReadingOptions } from './format.ts';
import { readPaypalTime } from './paypal-time.ts';
import { readAmount } from './read-cells.ts';

/** Words of "Status" under which money has come in or gone back. */
const DONE = ['completed', 'refunded', 'partially refunded', 'reversed', 'partially reversed'];

/** What kinds of lines are payments and refunds: by their code, or else by the words of "Type". */
const KINDS = [
  { kind: 'refund', code: /^T1107$/, type: /^(payment )?refund$/i },
  { kind: 'dispute', code: /^(T1106|T1201)$/, type: /^(payment reversal|chargeback)$/i },
  { kind: 'payment', code: /^T00(?!01)/, type: /\bpayments?\b/i },
] as const;
const NO_PAYMENT =
  /mass ?pay|authorization|\bholds?\b|release|review|withdrawal|\bfee\b|buyer credit|\border$/i;

/**
 * PayPal's activity download: Reports → Activity download, as CSV or TAB, with PayPal set to English.
 *
 * - Payments have a positive "Gross", refunds a negative one; money that you paid yourself is left out.
 * - Dates are written as your account's country does; "Custom Number" is what a shop passes on, here the visitor.
 * - Source: the columns of PayPal's "Activity Download report", the T-codes of its reference, and downloads in public
 *   code. The words of "Type" without the column "Transaction Event Code" were seen there, not in a list of PayPal's.
 */
export const paypal: Format = {
  name: 'paypal',
  title: 'PayPal’s activity download',
  required: [
    ...[['Date'], ['Time'], ['TimeZone', 'Time Zone'], ['Type'], ['Status'], ['Currency']],
    ...[['Gross'], ['Transaction ID']],
  ],
  optional: [
    ...['Name', 'From Email Address', 'Reference Txn ID', 'Item Title', 'Custom Number'],
    'Transaction Event Code',
  ],
  columns: {
    ...{ transaction_id: 'Transaction ID', amount: 'Gross', currency: 'Currency', name: 'Name' },
    ...{ timestamp: 'Date', refunded_at: 'Date', email: 'From Email Address' },
    ...{ original_transaction_id: 'Reference Txn ID', subscription_id: 'Reference Txn ID' },
    ...{ product: 'Item Title', service_visitor_id: 'Custom Number' },
  },
  leavesOpen: {
    option: 'dates',
    find(row) {
      const [, first, second] = /^(\d{1,2})\/(\d{1,2})\/\d{4}$/.exec(row('Date')) ?? [];
      if (first === undefined) return undefined;
      if (Number(first) > 12) return 'day-first';
      return Number(second) > 12 ? 'month-first' : 'unclear';
    },
    otherwise:
      'No date tells whether the day or the month comes first: say --dates day-first or --dates month-first.',
  },
  read,
};

function read(row: Row, options: ReadingOptions): Reading {
  const kind = findKind(row);
  if (kind === undefined) return leftOut(`type ${row('Type')}`);
  if (!DONE.includes(row('Status').toLowerCase())) return leftOut(`status ${row('Status')}`);
  const faults: CellFault[] = [];
  const currency = row('Currency');
  const gross = readAmount(row, ['Gross', currency], faults);
  const isNegative = gross.startsWith('-');
  if (faults.length === 0 && isNegative === (kind === 'payment')) {
    return leftOut('money that you paid, or got back');
  }
  const zone = row('TimeZone') || row('Time Zone');
  const at = readPaypalTime(row('Date'), row('Time'), zone, options.dates);
  if (!at.ok) return faulty(...at.error);
  const amount = gross.replace('-', '');
  const line = { transaction_id: row('Transaction ID'), amount, currency };
  const report =
    kind === 'payment'
      ? { ...line, ...payerOf(row), timestamp: at.value }
      : { ...line, ...refundOf(row, kind), refunded: true, refunded_at: at.value };
  return { kind: 'reports', reports: [report], faults };
}

function findKind(row: Row) {
  const code = row('Transaction Event Code');
  if (code === '' && NO_PAYMENT.test(row('Type'))) return undefined;
  return KINDS.find((each) => (code === '' ? each.type.test(row('Type')) : each.code.test(code)))
    ?.kind;
}

/** A dispute has the id that a connected PayPal account gives it. */
function refundOf(row: Row, kind: 'refund' | 'dispute') {
  const of = row('Reference Txn ID');
  const id = kind === 'dispute' && of !== '' ? `dispute:${of}` : row('Transaction ID');
  return { transaction_id: id, original_transaction_id: of };
}

function payerOf(row: Row) {
  const reference = row('Reference Txn ID');
  return {
    ...{ email: row('From Email Address'), name: row('Name'), product: row('Item Title') },
    service_visitor_id: toVisitorId(row('Custom Number')),
    // The id of a billing agreement or subscription, not of a transaction.
    subscription_id: /^[BIS]-/.test(reference) ? reference : '',
  };
}
