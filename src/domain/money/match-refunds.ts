import { explainTotals } from './explain-totals.ts';
import { createMatches, type Matches, rearrange } from './rearrange-matches.ts';
import {
  byDistance,
  byStatedTime,
  mayBeOf,
  type PaidBack,
  type UnnamedRefund,
} from './unnamed-refund.ts';

/** How many refunds are matched anew at once, and among how many matches may move; how many places are tried for them. */
const MATCHED_MAX = 100;
const TRIES_MAX = 20_000;

/**
 * Matches refunds that name no payment to payments of one currency: payments by refund, with all that were matched so
 * far. Refunds that fit no payment are left out.
 *
 * 1. Reports of the total refunded and refunds made at that time are the same money: a payment takes the refunds that
 *    explain its total, wherever they are matched.
 * 2. Other matches stay while their payment has room. Named refunds take room first.
 * 3. The others go to the payment of which they pay back all that is left, or to the latest one with room.
 * 4. As a last resort, matches move so that one more refund fits, but not to a payment that arrived after them.
 *
 * - Why a new payment (`newPaymentId`) moves nothing but to itself: what was matched still fits, and explains what it did.
 * - Source: docs/decisions/0018-a-refund-without-a-payment-is-matched.md.
 */
export function matchRefunds(
  payments: readonly PaidBack[],
  refunds: readonly UnnamedRefund[],
  newPaymentId?: string,
): ReadonlyMap<string, string> {
  const matches = createMatches(payments);
  const explaining = explainTotals(payments, refunds, newPaymentId !== undefined);
  for (const [refund, payment] of explaining) matches.add(refund, payment);
  const byId = new Map(payments.map((each) => [each.transactionId, each]));
  const isOpen = (refund: UnnamedRefund) => matches.of(refund) === undefined;
  const others = refunds.filter(isOpen).toSorted(byStatedTime);
  for (const refund of others) {
    const payment = byId.get(refund.matchedTo ?? '');
    if (payment !== undefined && matches.leftOf(payment) >= refund.amountMinor) {
      matches.add(refund, payment);
    }
  }
  for (const refund of others.filter(isOpen).slice(0, MATCHED_MAX)) {
    const payment = findPayment(refund, payments, matches);
    if (payment !== undefined) matches.add(refund, payment);
  }
  const movable = others.filter((each) => each.amountMinor > 0n);
  if (movable.length <= MATCHED_MAX) {
    const search = { payments, newPaymentId, matches, tries: { left: TRIES_MAX } };
    for (const refund of movable.filter(isOpen)) rearrange(refund, movable, search);
  }
  const found = refunds.map((each) => [each.transactionId, matches.of(each)?.transactionId]);
  return new Map(found.filter((each): each is [string, string] => each[1] !== undefined));
}

/**
 * The payment that a refund most likely pays back. First come those of which it pays back all that is left, then those
 * with more; last those whose total leaves too little, which was refunded at another time. Of equal ones, the latest.
 */
function findPayment(refund: UnnamedRefund, payments: readonly PaidBack[], matches: Matches) {
  const rankOf = (payment: PaidBack) => {
    const left = matches.unrefundedOf(payment);
    if (left === refund.amountMinor) return 0;
    return left > refund.amountMinor ? 1 : 2;
  };
  const compare = byDistance(refund);
  return payments
    .filter((each) => matches.leftOf(each) >= refund.amountMinor && mayBeOf(refund, each))
    .map((payment) => ({ payment, rank: rankOf(payment) }))
    .reduce<{ payment: PaidBack; rank: number } | undefined>((best, each) => {
      const order =
        best === undefined ? -1 : each.rank - best.rank || compare(each.payment, best.payment);
      return order < 0 ? each : best;
    }, undefined)?.payment;
}
