/** A refund reported under its own id, without naming the original payment. */
export type UnnamedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** Milliseconds. */
  readonly refundedAt: number;
  /** The end of the stated instant or day; undefined if `refundedAt` is the time of arrival. */
  readonly statedUntil: number | undefined;
};

/** A payment that may have been paid back. */
export type PaidBack = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** The sum of its refunds with other ids. */
  readonly refundsMinor: bigint;
  /** The total refunded so far by reports under its own id, and when; 0 if there are none. */
  readonly toldMinor: bigint;
  readonly toldAt: number;
  readonly paidAt: number;
  /** Whether a report stated `paidAt`. Otherwise, it is the time of arrival. */
  readonly isStated: boolean;
};

/** How far apart reports of the same money may arrive, in any order. */
const APART_MAX_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * The payment of the same payer and currency that a refund most likely pays back; undefined if there is none. Of equal
 * ones, the latest before the refund.
 */
export function findOriginal(
  refund: UnnamedRefund,
  payments: readonly PaidBack[],
): PaidBack | undefined {
  const found = payments.filter((each) => mayBeOf(refund, each));
  return found.toSorted(
    (a, b) =>
      rankOf(refund, a) - rankOf(refund, b) ||
      Number(leftOf(a) - leftOf(b)) ||
      distanceOf(refund, a) - distanceOf(refund, b) ||
      (a.transactionId < b.transactionId ? -1 : 1),
  )[0];
}

/**
 * First comes a payment that was reported as refunded at about that time, by an amount that no refund explains yet: it
 * is the same money. Then those with enough left, the least first, which keeps the others for larger refunds. Last those
 * refunded at another time.
 */
function rankOf({ amountMinor, refundedAt }: UnnamedRefund, payment: PaidBack): number {
  const isTold = payment.toldMinor - payment.refundsMinor >= amountMinor;
  if (isTold && Math.abs(payment.toldAt - refundedAt) <= APART_MAX_MS) return 0;
  return leftOf(payment) >= amountMinor ? 1 : 2;
}

function leftOf({ amountMinor, refundsMinor, toldMinor }: PaidBack): bigint {
  return amountMinor - (toldMinor > refundsMinor ? toldMinor : refundsMinor);
}

/** How long before the refund it was paid. Payments that arrived after it come last. */
function distanceOf({ refundedAt, statedUntil = refundedAt }: UnnamedRefund, { paidAt }: PaidBack) {
  return paidAt <= statedUntil ? statedUntil - paidAt : paidAt;
}

/** Whether the refund may be of the payment. A refund of nothing is only of a payment of nothing, such as a trial. */
function mayBeOf(refund: UnnamedRefund, payment: PaidBack): boolean {
  return (
    (refund.amountMinor > 0n || payment.amountMinor === 0n) &&
    payment.amountMinor - payment.refundsMinor >= refund.amountMinor &&
    payment.paidAt <= latestOf(refund, payment)
  );
}

/**
 * The latest possible time of the payment. Stated times are exact, and a refund arrives after it was made. The payment
 * may have been made long before it arrived.
 */
function latestOf({ refundedAt, statedUntil }: UnnamedRefund, payment: PaidBack): number {
  return payment.isStated ? (statedUntil ?? refundedAt) : refundedAt + APART_MAX_MS;
}

/** The order in which refunds take what a payment has left: by stated time, then the larger ones. */
export function byStatedTime(a: UnnamedRefund, b: UnnamedRefund): number {
  const never = Number.MAX_VALUE;
  return (
    (a.statedUntil ?? never) - (b.statedUntil ?? never) ||
    Number(b.amountMinor - a.amountMinor) ||
    (a.transactionId < b.transactionId ? -1 : 1)
  );
}
