import type { PaymentRow } from '#contract/rows/payment-row.ts';
import {
  ownRefundAtOf,
  type PaymentRecord,
  paidAtOf,
  type RefundRecord,
  refundAtOf,
  totalsOf,
} from '#domain/money/payment-record.ts';

/** A payment in the ledger, with its refunds that have their own ids. */
export type RecordedPayment = {
  readonly siteId: string;
  readonly transactionId: string;
  readonly record: PaymentRecord;
  readonly version: number;
  readonly refunds: readonly RecordedRefund[];
};

/** A refund with its own id in the ledger. */
export type RecordedRefund = {
  readonly transactionId: string;
  readonly record: RefundRecord;
  /** Whether the warehouse may have it as a payment, from before a report named its payment. */
  readonly wasPayment?: boolean;
};

/**
 * The warehouse rows of a payment: one for its gross amount, and one per refund.
 *
 * - Shape: a refund's row copies its payment's row, with its own kind, instant, amount and id, and the
 *   payment's id as `original_transaction_id`.
 * - Shape: rows that count nowhere are deleting ones: of a voided payment, of one that nobody has reported yet, of one
 *   that turned out to be a refund or another payment, and of a refund that its provider took back. The refund under
 *   the id of a payment that is not reported is among them: it may have been withdrawn.
 * - Why a refund has the payment's visitor and customer: it takes back credit from where the payment's credit
 *   went.
 */
export function projectPayment(payment: RecordedPayment): PaymentRow[] {
  const rows = projectCounted(payment);
  const { statedMinor, voidedAt } = payment.record;
  const isCounted = statedMinor !== undefined && voidedAt === undefined;
  return isCounted ? rows : rows.map((row) => ({ ...row, ...DELETED }));
}

const DELETED = { is_deleted: 1 } as const;
const DISPUTE = { is_dispute: 1 } as const;

/** The last instant that the warehouse can hold. */
const LAST = Date.parse('2105-12-31T00:00:00Z');

function projectCounted(payment: RecordedPayment): PaymentRow[] {
  const { record, transactionId, refunds } = payment;
  const { grossMinor, ownRefundMinor } = totalsOf(record);
  const refundedAt = refunds.map((refund) => refundAtOf(refund.record));
  const paidAt = paidAtOf(record, ...refundedAt) ?? LAST;
  const gross: PaymentRow = {
    site_id: payment.siteId,
    kind: 'payment',
    transaction_id: transactionId,
    original_transaction_id: undefined,
    occurred_at: paidAt,
    paid_at: paidAt,
    accepted_at: record.receivedAt,
    amount_minor: `${grossMinor}`,
    currency: record.currency,
    visitor_id: record.visitorId,
    customer_id: record.customerId,
    email: record.email,
    subscription_id: record.subscriptionId,
    product: record.product,
    provider: record.provider,
    renewal: record.renewal ? 1 : undefined,
    version: `${payment.version}`,
  };
  const toRefundRow = (
    id: string,
    at: number,
    acceptedAt: number | undefined,
    amountMinor: bigint,
  ): PaymentRow => ({
    ...gross,
    kind: 'refund',
    transaction_id: id,
    original_transaction_id: transactionId,
    occurred_at: at,
    accepted_at: acceptedAt,
    amount_minor: `${amountMinor}`,
  });

  const rows = [gross];
  if (ownRefundMinor !== undefined || record.statedMinor === undefined) {
    const at = ownRefundAtOf(record) ?? paidAt;
    rows.push(toRefundRow(transactionId, at, record.refundReceivedAt, ownRefundMinor ?? 0n));
  }
  for (const refund of refunds) {
    const { amountMinor, receivedAt, isDispute, withdrawnAt } = refund.record;
    const { transactionId: id } = refund;
    const row = toRefundRow(id, refundAtOf(refund.record), receivedAt, amountMinor);
    const more = { ...(isDispute && DISPUTE), ...(withdrawnAt !== undefined && DELETED) };
    rows.push({ ...row, ...more });
    if (refund.wasPayment) rows.push({ ...gross, transaction_id: id, ...DELETED });
  }
  return rows;
}
