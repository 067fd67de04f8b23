/**
 * One report of a payment or refund, checked: what a caller says about a `transaction_id`.
 *
 * - Units: minor units of the currency; instants in milliseconds.
 * - Shape: with `originalTransactionId` it is a refund of its own against that payment.
 */
export type PaymentReport = Partial<OptionalFacts> & {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly renewal: boolean;
  readonly refunded: boolean;
  /** The caller's own timestamp. */
  readonly paidAt?: number | undefined;
  readonly refundedAt?: number | undefined;
  readonly originalTransactionId?: string | undefined;
  readonly receivedAt: number;
};

/** Facts that a report may leave out, about who paid and what for; e-mail addresses in lower case. */
export const OPTIONAL_FACTS = [
  'visitorId',
  'email',
  'name',
  'customerId',
  'subscriptionId',
  'product',
] as const;
/** A value, or none yet, for each of {@link OPTIONAL_FACTS}. */
export type OptionalFacts = {
  readonly [Fact in (typeof OPTIONAL_FACTS)[number]]: string | undefined;
};

/** All that the reports of one payment have said so far. What follows from it is computed. */
export type PaymentRecord = OptionalFacts & {
  readonly currency: string;
  /** What a report without `refunded` said; unknown while only refunds came. */
  readonly statedMinor: bigint | undefined;
  /** The most that a report with `refunded` said; unknown when none came. */
  readonly refundStatedMinor: bigint | undefined;
  /** The sum of the refunds that have ids of their own. */
  readonly otherRefundsMinor: bigint;
  readonly renewal: boolean;
  /** Whether the visitor was corrected by hand: reports no longer change it. */
  readonly isVisitorCorrected: boolean;
  /** When it was voided by hand: it counts no more. */
  readonly voidedAt: number | undefined;
  /** The earliest timestamp that a caller gave, and the earliest report's arrival. */
  readonly paidAt: number | undefined;
  readonly receivedAt: number | undefined;
  readonly refundedAt: number | undefined;
  readonly refundReceivedAt: number | undefined;
};

/** All that the reports of one refund with an id of its own have said so far. */
export type RefundRecord = OptionalFacts & {
  readonly originalTransactionId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly refundedAt: number | undefined;
  readonly paidAt: number | undefined;
  readonly receivedAt: number;
};

/** What a payment is worth, from what was said about it. */
export type PaymentTotals = {
  readonly grossMinor: bigint;
  /** What was refunded under the payment's own id; unknown when nothing was. */
  readonly ownRefundMinor: bigint | undefined;
  /** That, and every refund with an id of its own. */
  readonly refundedMinor: bigint;
};

/**
 * Gross and refunds of a payment.
 *
 * - A refund under the payment's own id and of its whole amount means "refunded in full": it is
 *   what the refunds with ids of their own left over.
 * - A payment known by its refunds only is worth what was refunded, so that it adds nothing to net.
 */
export function totalsOf(record: PaymentRecord): PaymentTotals {
  const own = record.refundStatedMinor;
  const others = record.otherRefundsMinor;
  const grossMinor = record.statedMinor ?? grossOfRefunds(own ?? 0n, others);
  const ownRefundMinor = own === grossMinor ? grossMinor - others : own;
  return { grossMinor, ownRefundMinor, refundedMinor: (ownRefundMinor ?? 0n) + others };
}

/** The smallest payment that all these refunds are possible for. */
function grossOfRefunds(own: bigint, others: bigint): bigint {
  return others <= own ? own : own + others;
}

/** When the payment was made; unknown while only refunds with ids of their own name it. */
export function paidAtOf(record: PaymentRecord): number | undefined {
  return record.paidAt ?? record.receivedAt;
}

/** When the refund under the payment's own id was made; unknown when there is none. */
export function ownRefundAtOf(record: PaymentRecord): number | undefined {
  return record.refundedAt ?? record.refundReceivedAt;
}

/** When a refund with an id of its own was made: its timestamp is its own time too. */
export function refundAtOf(record: RefundRecord): number {
  return record.refundedAt ?? record.paidAt ?? record.receivedAt;
}
