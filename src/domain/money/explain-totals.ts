import {
  APART_MAX_MS,
  byStatedTime,
  compareIds,
  isMatchedTo,
  mayBeOf,
  type PaidBack,
  type UnnamedRefund,
} from './unnamed-refund.ts';

/** How many totals are looked at, the latest first; how many refunds may explain one; how many sums of them are tried. */
const TOTALS_MAX = 100;
const EXPLAINING_MAX = 20;
const SUMS_MAX = 500;
/** Chooses refunds that add up to a sum, or to less. */
type Choose = (refunds: readonly UnnamedRefund[], sum: bigint) => readonly UnnamedRefund[];

/** Finds the refunds that explain totals: first those of a whole total, and first, or only, those that are there already. */
export function explainTotals(
  payments: readonly PaidBack[],
  refunds: readonly UnnamedRefund[],
  keepsAll: boolean,
) {
  const explaining = new Map<UnnamedRefund, PaidBack>();
  const explained = new Set<PaidBack>();
  const withTotal = payments
    .filter((each) => each.totalMinor > each.refundsMinor)
    .toSorted((a, b) => b.totalUntil - a.totalUntil || compareIds(a, b))
    .slice(0, TOTALS_MAX);
  const inOrder = refunds.filter((each) => each.amountMinor > 0n).toSorted(byStatedTime);
  const explain = (choose: Choose, isMatchedOnly: boolean) => {
    for (const payment of withTotal.filter((each) => !explained.has(each))) {
      const sum = payment.totalMinor - payment.refundsMinor;
      const candidates = inOrder
        .filter((each) => each.amountMinor <= sum && !explaining.has(each))
        .filter((each) => isMatchedTo(each, payment) || !(isMatchedOnly || keepsAll))
        .filter((each) => isRefundedWith(each, payment) && mayBeOf(each, payment))
        .toSorted((a, b) => placeOf(a, payment) - placeOf(b, payment));
      const chosen = choose(candidates.slice(0, EXPLAINING_MAX), sum);
      for (const refund of chosen) explaining.set(refund, payment);
      if (chosen.length > 0) explained.add(payment);
    }
  };
  for (const choose of [chooseOne, chooseAll]) {
    explain(choose, true);
    explain(choose, false);
  }
  explain(chooseMost, false);
  return explaining;
}

function isRefundedWith({ refundedAt: at }: UnnamedRefund, payment: PaidBack): boolean {
  return at >= payment.totalFrom - APART_MAX_MS && at <= payment.totalUntil + APART_MAX_MS;
}

/** Refunds already there come first, then those that are matched to none. */
function placeOf(refund: UnnamedRefund, payment: PaidBack): number {
  if (isMatchedTo(refund, payment)) return 0;
  return refund.matchedTo === undefined ? 1 : 2;
}

const chooseOne: Choose = (refunds, sum) =>
  refunds.filter((each) => each.amountMinor === sum).slice(0, 1);

const chooseAll: Choose = (refunds, sum) => {
  const found = chooseMost(refunds, sum);
  return found.reduce((rest, each) => rest - each.amountMinor, sum) === 0n ? found : [];
};

/** The first refunds that add up to the largest sum within the limit. */
const chooseMost: Choose = (refunds, limit) => {
  const sums = new Map<bigint, readonly UnnamedRefund[]>([[0n, []]]);
  let largest = 0n;
  for (const refund of refunds) {
    for (const [sum, parts] of [...sums]) {
      const next = sum + refund.amountMinor;
      if (next > limit || sums.has(next) || sums.size === SUMS_MAX) continue;
      sums.set(next, [...parts, refund]);
      if (next > largest) largest = next;
    }
  }
  return sums.get(largest) ?? [];
};
