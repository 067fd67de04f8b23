import { DAY_MS } from '../time/durations.ts';

/** A refund reported under its own id, without naming the original payment. */
export type UnnamedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** Milliseconds. */
  readonly refundedAt: number;
  /** The end of the stated instant or day; undefined if `refundedAt` is the time of arrival. */
  readonly statedUntil: number | undefined;
  /** Its customer, e-mail address and visitor. */
  readonly keys: readonly string[];
  /** The payment that it is matched to so far. */
  readonly matchedTo: string | undefined;
};

/** A payment that may have been paid back. */
export type PaidBack = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** The sum of the refunds that name it. */
  readonly refundsMinor: bigint;
  /** The total refunded so far by reports under its own id; 0 if there are none. */
  readonly totalMinor: bigint;
  /** When the first such report, and the one with that total, say that it was refunded. */
  readonly totalFrom: number;
  readonly totalUntil: number;
  readonly paidAt: number;
  /** Whether a report stated `paidAt`. Otherwise, it is the time of arrival. */
  readonly isStated: boolean;
  readonly keys: readonly string[];
};

/** How far apart reports of the same money may arrive, in any order. */
export const APART_MAX_MS = 3 * DAY_MS;
/** Whether the refund is matched to the payment so far. */
export function isMatchedTo(refund: UnnamedRefund, payment: PaidBack): boolean {
  return refund.matchedTo === payment.transactionId;
}

/** Whether the refund may be of the payment. A refund of nothing is only of a payment of nothing, such as a trial. */
export function mayBeOf(refund: UnnamedRefund, payment: PaidBack): boolean {
  return (
    (refund.amountMinor > 0n || payment.amountMinor === 0n) &&
    payment.paidAt <= latestOf(refund, payment) &&
    refund.keys.some((key) => payment.keys.includes(key))
  );
}

/**
 * The latest possible time of the payment. Stated times are exact, and a refund arrives after it was made. The payment
 * may have been made long before it arrived.
 */
function latestOf({ refundedAt, statedUntil }: UnnamedRefund, payment: PaidBack): number {
  return payment.isStated ? (statedUntil ?? refundedAt) : refundedAt + APART_MAX_MS;
}

/** The latest before the refund first. Payments that arrived after it come last. */
export function byDistance({ refundedAt, statedUntil = refundedAt }: UnnamedRefund) {
  const distanceOf = ({ paidAt }: PaidBack) =>
    paidAt <= statedUntil ? statedUntil - paidAt : paidAt;
  return (a: PaidBack, b: PaidBack) => distanceOf(a) - distanceOf(b) || compareIds(a, b);
}

/** The order in which refunds take what a payment has left: by stated time, then the larger ones. */
export function byStatedTime(a: UnnamedRefund, b: UnnamedRefund): number {
  const never = Number.MAX_VALUE;
  return (
    (a.statedUntil ?? never) - (b.statedUntil ?? never) ||
    Number(b.amountMinor - a.amountMinor) ||
    compareIds(a, b)
  );
}

/** Any fixed order. */
export function compareIds(a: { transactionId: string }, b: { transactionId: string }): number {
  return a.transactionId < b.transactionId ? -1 : 1;
}
