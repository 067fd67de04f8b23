/** A refund reported under its own id, without naming the original payment. */
export type UnnamedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** Milliseconds. */
  readonly refundedAt: number;
  /** Its customer, e-mail and visitor keys, each prefixed with its kind. */
  readonly keys: readonly string[];
};

/** A payment that no refund names. */
export type UnrefundedPayment = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly paidAt: number;
  readonly keys: readonly string[];
};

/** How much later than its refund a payment may be dated, because reports arrive in any order. */
const REPORTED_LATER_MAX_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * Matches each refund to its payment, by transaction id. A refund matches if it shares a key with
 * exactly one payment of at least its amount that no earlier refund has taken.
 *
 * - Shape: all of one site and currency. The result does not depend on the order of arrival.
 * - Why the time limit: a refund cannot pay back a payment made long after it.
 */
export function matchRefunds(
  refunds: readonly UnnamedRefund[],
  payments: readonly UnrefundedPayment[],
): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const taken = new Set<string>();
  for (const refund of refunds.toSorted(byTime)) {
    const latest = refund.refundedAt + REPORTED_LATER_MAX_MS;
    const found = payments.filter(
      ({ transactionId, amountMinor, paidAt, keys }) =>
        !taken.has(transactionId) &&
        amountMinor >= refund.amountMinor &&
        paidAt <= latest &&
        keys.some((key) => refund.keys.includes(key)),
    );
    const [only, another] = found;
    if (only === undefined || another !== undefined) continue;
    matches.set(refund.transactionId, only.transactionId);
    taken.add(only.transactionId);
  }
  return matches;
}

function byTime(a: UnnamedRefund, b: UnnamedRefund): number {
  return a.refundedAt - b.refundedAt || (a.transactionId < b.transactionId ? -1 : 1);
}
