import { Readable } from 'node:stream';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import { toTextCell } from '../queries/answer-formats.ts';

type CellsOf = readonly [name: string, toCell: (payment: ListedPayment) => string | undefined];

const COLUMNS: readonly CellsOf[] = [
  ['paid_at', (payment) => payment.paid_at],
  ['transaction_id', (payment) => payment.transaction_id],
  ['state', (payment) => payment.state],
  ['status', (payment) => payment.status],
  ['amount', (payment) => payment.amount.value],
  ['currency', (payment) => payment.amount.currency],
  ['refunded', (payment) => payment.refunded.value],
  [
    'refunded_at',
    ({ refunds }) =>
      refunds
        .map((refund) => refund.refunded_at)
        .toSorted()
        .at(-1),
  ],
  ['renewal', (payment) => String(payment.renewal)],
  ['channel', ({ credited }) => credited?.first.channel],
  ['source', ({ credited }) => credited?.first.source],
  ['credited_visits', ({ credited }) => String(credited?.visits ?? 0)],
  ['customer_id', (payment) => payment.customer_id],
  ['service_visitor_id', (payment) => payment.service_visitor_id],
  ['subscription_id', (payment) => payment.subscription_id],
  ['product', (payment) => payment.product],
  ['provider', (payment) => payment.provider],
];
const PERSONAL: readonly CellsOf[] = [
  ['email', (payment) => payment.email],
  ['name', (payment) => payment.name],
];

/** Payments as a CSV file with a header row, streamed, so that it may have any length. The source is that of the first credited visit. */
export function toPaymentsCsv(
  payments: AsyncIterable<ListedPayment>,
  isPersonal: boolean,
): Readable {
  const columns = isPersonal ? [...COLUMNS, ...PERSONAL] : COLUMNS;
  const toLine = (cells: readonly string[]) => `${cells.map(toTextCell).join(',')}\r\n`;
  async function* lines() {
    yield toLine(columns.map(([name]) => name));
    for await (const payment of payments) {
      yield toLine(columns.map(([, toCell]) => toCell(payment) ?? ''));
    }
  }
  return Readable.from(lines());
}
