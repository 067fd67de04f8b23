import { byDistance, mayBeOf, type PaidBack, type UnnamedRefund } from './unnamed-refund.ts';

/** Matches under way. */
export type Matches = ReturnType<typeof createMatches>;

/** Matches, and what they leave of payments. */
export function createMatches(payments: readonly PaidBack[]) {
  const sums = new Map(payments.map((each) => [each, each.refundsMinor]));
  const found = new Map<UnnamedRefund, PaidBack>();
  const sumOf = (payment: PaidBack) => sums.get(payment) ?? 0n;
  return {
    of: (refund: UnnamedRefund) => found.get(refund),
    add(refund: UnnamedRefund, payment: PaidBack): void {
      found.set(refund, payment);
      sums.set(payment, sumOf(payment) + refund.amountMinor);
    },
    remove(refund: UnnamedRefund): void {
      const payment = found.get(refund);
      if (payment !== undefined) sums.set(payment, sumOf(payment) - refund.amountMinor);
      found.delete(refund);
    },
    /** What refunds may still pay back. */
    leftOf: (payment: PaidBack) => payment.amountMinor - sumOf(payment),
    /** The same without what its total says was refunded. */
    unrefundedOf(payment: PaidBack): bigint {
      const { amountMinor, totalMinor } = payment;
      return amountMinor - (totalMinor > sumOf(payment) ? totalMinor : sumOf(payment));
    },
  };
}

type Search = {
  readonly payments: readonly PaidBack[];
  /** The payment that was just reported: only moves to it are for its sake. */
  readonly newPaymentId: string | undefined;
  readonly matches: Matches;
  readonly tries: { left: number };
};

/** Moves other matches so that a refund fits, if a short search finds how. Otherwise, all stay. */
export function rearrange(
  refund: UnnamedRefund,
  movable: readonly UnnamedRefund[],
  search: Search,
): void {
  const { matches, payments } = search;
  const left = payments.reduce((sum, each) => sum + matches.leftOf(each), 0n);
  const before = movable.flatMap((each) => {
    const payment = matches.of(each);
    return payment === undefined ? [] : [[each, payment] as const];
  });
  if (left < refund.amountMinor) return;
  before.sort(([a], [b]) => Number(b.amountMinor - a.amountMinor));
  for (const [each] of before) matches.remove(each);
  const placed: Placed[] = [[refund, undefined], ...before];
  if (fits(placed, 0, search) && isForNewPayment(placed, search)) return;
  for (const [each] of placed) matches.remove(each);
  for (const [each, payment] of before) matches.add(each, payment);
}

/** Whether something moved to the new payment. Nothing moves among others because of it. */
function isForNewPayment(placed: readonly Placed[], { matches, newPaymentId }: Search): boolean {
  if (newPaymentId === undefined) return true;
  return placed.some(
    ([refund, before]) =>
      before?.transactionId !== newPaymentId && matches.of(refund)?.transactionId === newPaymentId,
  );
}

type Placed = readonly [refund: UnnamedRefund, payment: PaidBack | undefined];

/** Whether the refunds from an index on find a place, where they are then matched. */
function fits(refunds: readonly Placed[], index: number, search: Search): boolean {
  const { matches, tries } = search;
  const placed = refunds[index];
  if (placed === undefined) return true;
  const [refund] = placed;
  for (const payment of placesOf(placed, search.payments)) {
    if (tries.left <= 0) return false;
    tries.left -= 1;
    if (matches.leftOf(payment) < refund.amountMinor) continue;
    matches.add(refund, payment);
    if (fits(refunds, index + 1, search)) return true;
    matches.remove(refund);
  }
  return false;
}

/** Where a refund may be: where it is, then at others, the latest first. */
function* placesOf([refund, at]: Placed, payments: readonly PaidBack[]) {
  if (at !== undefined) yield at;
  const known = refund.statedUntil ?? refund.refundedAt;
  const others = payments.filter(
    (each) => each !== at && mayBeOf(refund, each) && (at === undefined || each.paidAt <= known),
  );
  yield* others.toSorted(byDistance(refund));
}
