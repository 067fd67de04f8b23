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
 *   refunds that can only belong to the same payment, the one with the earliest stated time gets it.
 * - Why the time limit: a refund cannot pay back a payment made after it.
 */
export function matchRefunds(
  refunds: readonly UnnamedRefund[],
  payments: readonly UnrefundedPayment[],
): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const open = refunds.toSorted(byStatedTime).map((refund) => {
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
    // A refund of nothing pays back only a payment of nothing, such as a trial.
    (refund.amountMinor > 0n || payment.amountMinor === 0n) &&
    payment.amountMinor >= refund.amountMinor &&
    payment.paidAt <= latestOf(refund, payment) &&
    payment.keys.some((key) => refund.keys.includes(key))
  );
}

/**
 * The latest possible time of the payment. Stated times are exact, and a refund arrives after it was made. The payment
 * may have been made long before it arrived.
 */
function latestOf({ refundedAt, statedUntil }: UnnamedRefund, payment: UnrefundedPayment): number {
  return payment.isStated ? (statedUntil ?? refundedAt) : refundedAt + ARRIVES_LATER_MAX_MS;
}

/** Refunds without a stated time come last, larger ones first: their order of arrival must not matter. */
function byStatedTime(a: UnnamedRefund, b: UnnamedRefund): number {
  const never = Number.MAX_VALUE;
  return (
    (a.statedUntil ?? never) - (b.statedUntil ?? never) ||
    Number(b.amountMinor - a.amountMinor) ||
    (a.transactionId < b.transactionId ? -1 : 1)
  );
}
