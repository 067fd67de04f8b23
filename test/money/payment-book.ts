import { type MergedRecords, mergePayment } from '#domain/money/merge-payment.ts';
import type { PaymentRecord, PaymentReport, RefundRecord } from '#domain/money/payment-record.ts';

/** Payments and refunds on record by their ids, and what was refused. */
export type Book = {
  readonly payments: ReadonlyMap<string, PaymentRecord>;
  readonly refunds: ReadonlyMap<string, RefundRecord>;
  readonly refusals: readonly string[];
};

const EMPTY_BOOK: Book = { payments: new Map(), refunds: new Map(), refusals: [] };

/** What a ledger does with reports, one after the other, on maps. */
export function bookOf(reports: readonly PaymentReport[]): Book {
  return reports.reduce(record, EMPTY_BOOK);
}

function record(book: Book, report: PaymentReport): Book {
  const { transactionId: id, originalTransactionId: originalId = '' } = report;
  const merged = mergePayment(
    {
      payment: book.payments.get(id),
      refund: book.refunds.get(id),
      original: book.payments.get(originalId),
      originalIsRefund: book.refunds.has(originalId),
      isOriginal: [...book.refunds.values()].some((each) => each.originalTransactionId === id),
    },
    report,
  );
  if (!merged.ok) return { ...book, refusals: [...book.refusals, merged.error] };
  return { ...book, ...saved(book, merged.value, id, originalId) };
}

function saved(book: Book, merged: MergedRecords, id: string, originalId: string) {
  const payments = new Map(book.payments);
  const refunds = new Map(book.refunds);
  if (merged.dropsPayment) payments.delete(id);
  if (merged.payment !== undefined) payments.set(id, merged.payment);
  if (merged.original !== undefined) payments.set(originalId, merged.original);
  if (merged.refund !== undefined) refunds.set(id, merged.refund);
  return { payments, refunds };
}

/** A payment of 1.00 EUR. */
export const PAYMENT: PaymentReport = {
  transactionId: 'tx',
  amountMinor: 100n,
  currency: 'EUR',
  renewal: false,
  refunded: false,
  receivedAt: 1_000,
};

/** The payment `tx` is reported. */
export const pays = (facts: Partial<PaymentReport> = {}) => ({ ...PAYMENT, ...facts });
/** The payment `tx` is reported as refunded, in full or in part. */
export const refundsOwn = (amountMinor: bigint, facts: Partial<PaymentReport> = {}) =>
  pays({ refunded: true, amountMinor, ...facts });
/** A refund with an id of its own is reported against `tx`. */
export const refundsBy = (transactionId: string, amountMinor: bigint, facts = {}) =>
  refundsOwn(amountMinor, { transactionId, originalTransactionId: 'tx', ...facts });
