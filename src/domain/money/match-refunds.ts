/** A refund reported under an id of its own, without the payment that it pays back. */
export type UnnamedRefund = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  /** Milliseconds. */
  readonly refundedAt: number;
  /** Whom it names: customer, e-mail address and visitor, each with its kind. */
  readonly keys: readonly string[];
};

/** A payment of which nothing is paid back by any report that names it. */
export type UnrefundedPayment = {
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly paidAt: number;
  readonly keys: readonly string[];
};

/** How much later than its refund a payment may be reported: reports come in any order. */
const REPORTED_LATER_MAX_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * The payment that each refund pays back, by their transaction ids: the only payment of anybody whom
 * the refund names, of at least its amount, and not taken by an earlier refund.
 *
 * - Shape: all of one site and currency. The same facts give the same answer, in whatever order they came.
 * - Why the time matters: what was paid long after a refund is not what it paid back.
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
