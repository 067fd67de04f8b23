/** A refund reported under its own id, without naming the original payment. */
export type UnnamedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** Milliseconds. */
  readonly refundedAt: number;
  /** The end of the stated instant or day; undefined if `refundedAt` is the time of arrival. */
  readonly statedUntil: number | undefined;
  /** Its customer, e-mail and visitor keys, each prefixed with its kind. */
  readonly keys: readonly string[];
};

/** A payment that no refund names. */
export type UnrefundedPayment = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly paidAt: number;
  /** Whether a report stated `paidAt`. Otherwise, it is the time of arrival. */
  readonly isStated: boolean;
  readonly keys: readonly string[];
};

/** How much later than its refund a payment may arrive, because reports arrive in any order. */
const ARRIVES_LATER_MAX_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * Matches each refund to its payment, by transaction id. A refund matches if it shares a key with
 * exactly one payment of at least its amount that no other refund has taken.
 *
 * - Shape: all of one site and currency. The result does not depend on the order of arrival: a refund
 *   that could belong to several payments is tried again when another refund takes one of them. Of
 *   refunds that can only belong to the same payment, the earliest gets it.
 * - Why the time limit: a refund cannot pay back a payment made after it.
 */
export function matchRefunds(
  refunds: readonly UnnamedRefund[],
  payments: readonly UnrefundedPayment[],
): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const open = refunds.toSorted(byTime).map((refund) => {
    const found = payments.filter((payment) => mayPayBack(refund, payment));
    const candidates = new Set(found.map(({ transactionId }) => transactionId));
    return { refundId: refund.transactionId, candidates };
  });
  for (;;) {
    const next = open.find(({ candidates }) => candidates.size === 1);
    if (next === undefined) return matches;
    for (const paymentId of next.candidates) {
      matches.set(next.refundId, paymentId);
      for (const { candidates } of open) candidates.delete(paymentId);
    }
  }
}

function mayPayBack(refund: UnnamedRefund, payment: UnrefundedPayment): boolean {
  return (
    refund.amountMinor > 0n &&
    payment.amountMinor >= refund.amountMinor &&
    payment.paidAt <= latestOf(refund, payment) &&
    payment.keys.some((key) => refund.keys.includes(key))
  );
}

/** The latest possible time of the payment. Stated times are exact, and times of arrival are not. */
function latestOf({ refundedAt, statedUntil }: UnnamedRefund, payment: UnrefundedPayment): number {
  const isExact = statedUntil !== undefined && payment.isStated;
  return isExact ? statedUntil : refundedAt + ARRIVES_LATER_MAX_MS;
}

function byTime(a: UnnamedRefund, b: UnnamedRefund): number {
  return a.refundedAt - b.refundedAt || (a.transactionId < b.transactionId ? -1 : 1);
}
