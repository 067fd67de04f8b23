/**
 * One validated report of a payment or refund: what a caller states about a `transaction_id`.
 *
 * - Units: minor units of the currency; instants in milliseconds.
 * - Shape: with `originalTransactionId`, it is a separate refund of that payment.
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
  /** The original payment is not named by the caller, but was found. */
  readonly isMatched?: boolean;
  readonly receivedAt: number;
};

/** Optional facts about the payer and the product. E-mail addresses are in lower case. */
export const OPTIONAL_FACTS = [
  'visitorId',
  'email',
  'name',
  'customerId',
  'subscriptionId',
  'product',
] as const;
/** The {@link OPTIONAL_FACTS}; a fact that no report has stated is undefined. */
export type OptionalFacts = {
  readonly [Fact in (typeof OPTIONAL_FACTS)[number]]: string | undefined;
};

/** Everything that reports have stated about one payment. Derived values are computed on demand. */
export type PaymentRecord = OptionalFacts & {
  /** Empty if nothing is left: the only refund that named an unreported payment was voided. */
  readonly currency: string;
  /** Amount stated by reports without `refunded`; undefined if there are only refunds. */
  readonly statedMinor: bigint | undefined;
  /** Largest amount stated by reports with `refunded`; undefined if there are none. */
  readonly refundStatedMinor: bigint | undefined;
  /** Sum of the refunds that have their own ids. */
  readonly otherRefundsMinor: bigint;
  readonly renewal: boolean;
  /** The visitor was corrected by hand. Reports no longer change it. */
  readonly isVisitorCorrected: boolean;
  /** When it was voided by hand. A voided payment no longer counts. */
  readonly voidedAt: number | undefined;
  /** The connected provider that states it; undefined for a payment of our own API. */
  readonly provider: string | undefined;
  /** What the provider converted it by, for one unit: "EUR 0.92". */
  readonly providerRate: string | undefined;
  /** The payment that it turned out to be. Nothing else of it is left. */
  readonly sameAs: string | undefined;
  /** The earliest timestamp stated by a caller, and the arrival of the earliest report. */
  readonly paidAt: number | undefined;
  readonly receivedAt: number | undefined;
  readonly refundedAt: number | undefined;
  readonly refundReceivedAt: number | undefined;
  /** When the first report of the largest refunded amount says that it was refunded. */
  readonly refundTotalAt: number | undefined;
};

/** Everything that reports have stated about one refund with its own id. */
export type RefundRecord = OptionalFacts & {
  readonly originalTransactionId: string;
  /** No report has named the original payment: it was found by the facts. */
  readonly isMatched: boolean;
  /** It was taken back in a dispute, which is open or lost. */
  readonly isDispute: boolean;
  /** When its provider took it back: it failed, or its dispute was won. Its amount is 0 since then. */
  readonly withdrawnAt: number | undefined;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly refundedAt: number | undefined;
  readonly paidAt: number | undefined;
  readonly receivedAt: number;
};

const UNREPORTED: PaymentRecord = {
  ...(Object.fromEntries(OPTIONAL_FACTS.map((fact) => [fact, undefined])) as OptionalFacts),
  currency: '',
  statedMinor: undefined,
  refundStatedMinor: undefined,
  otherRefundsMinor: 0n,
  renewal: false,
  isVisitorCorrected: false,
  voidedAt: undefined,
  provider: undefined,
  providerRate: undefined,
  sameAs: undefined,
  paidAt: undefined,
  receivedAt: undefined,
  refundedAt: undefined,
  refundReceivedAt: undefined,
  refundTotalAt: undefined,
};

/** The record of a payment that has been named but not reported. */
export function unreportedPayment(currency: string): PaymentRecord {
  return { ...UNREPORTED, currency };
}

/** The record of a refund as if no report had named its payment. */
export function toBareRefund(refund: RefundRecord): PaymentRecord {
  const { originalTransactionId: _, isMatched: __, isDispute, withdrawnAt, ...more } = refund;
  const { amountMinor, ...own } = more;
  const { currency, receivedAt } = own;
  const stated = { refundStatedMinor: amountMinor, refundReceivedAt: receivedAt };
  const refundTotalAt = own.refundedAt ?? receivedAt;
  return { ...unreportedPayment(currency), ...own, ...stated, refundTotalAt };
}

/** The `refundTotalAt` of a payment after a report of a refund under its own id: of equal amounts, the earliest. */
export function refundTotalAtOf(
  { refundStatedMinor: largest = -1n, refundTotalAt }: PaymentRecord,
  { amountMinor, refundedAt, receivedAt }: PaymentReport,
): number | undefined {
  const at = refundedAt ?? receivedAt;
  if (amountMinor < largest) return refundTotalAt;
  return amountMinor > largest ? at : Math.min(refundTotalAt ?? at, at);
}

/** A payment's gross and refunded amounts, in minor units. */
type PaymentTotals = {
  readonly grossMinor: bigint;
  /** Refunded under the payment's own id; undefined if nothing was. */
  readonly ownRefundMinor: bigint | undefined;
  /** All refunds: under the payment's own id and under other ids. */
  readonly refundedMinor: bigint;
};

/**
 * Computes a payment's gross and refunded amounts.
 *
 * - Reports under the payment's own id state the total so far, so that they include the refunds with other ids. What
 *   they state beyond those is the payment's own refund.
 * - If only refunds were reported, gross equals the refunds, so the payment adds nothing to revenue.
 */
export function totalsOf(record: PaymentRecord): PaymentTotals {
  const { refundStatedMinor: own, otherRefundsMinor: others } = record;
  const refundedMinor = own !== undefined && own > others ? own : others;
  const ownRefundMinor = own === undefined ? undefined : refundedMinor - others;
  return { grossMinor: record.statedMinor ?? refundedMinor, ownRefundMinor, refundedMinor };
}

/**
 * When the payment was made, given the times of its refunds with their own ids. A payment known only from refunds
 * was made with the first, so that no period has its gross amount without its refunds.
 */
export function paidAtOf(record: PaymentRecord, ...refundedAt: number[]): number | undefined {
  if (record.paidAt !== undefined) return record.paidAt;
  if (record.statedMinor !== undefined) return record.receivedAt;
  const first = Math.min(ownRefundAtOf(record) ?? Infinity, ...refundedAt);
  return first === Infinity ? undefined : first;
}

/**
 * When the refund under the payment's own id was made; undefined if there is none. If no payment was reported, the
 * plain timestamp counts as its refund time.
 */
export function ownRefundAtOf(record: PaymentRecord): number | undefined {
  const { statedMinor, refundedAt, paidAt, refundReceivedAt } = record;
  return refundedAt ?? (statedMinor === undefined ? paidAt : undefined) ?? refundReceivedAt;
}

/** When a refund with its own id was made. Its plain timestamp counts as its refund time. */
export function refundAtOf(record: RefundRecord): number {
  return record.refundedAt ?? record.paidAt ?? record.receivedAt;
}
