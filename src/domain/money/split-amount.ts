import { assert } from '../assert.ts';

/**
 * Splits an amount in proportion to weights and loses nothing: the parts add up to the amount.
 *
 * Every part is within one minor unit of its exact share. Units left over go to the largest
 * remainders, and to the earlier part when two tie, so the same input always splits the same way.
 *
 * - Units: the amount and its parts are whole minor units of one currency (cents, yen). A refund
 *   is negative and splits as the mirror image of the sale. Only the proportions of weights count.
 * - Throws when a weight is not whole or none is positive: bugs in the caller, never input.
 * - Source: the largest-remainder (Hamilton) method; Balinski & Young, *Fair Representation*.
 */
export function splitAmount(amountMinor: bigint, weights: readonly number[]): bigint[] {
  assert(weights.every(isWeight), 'weights are whole and not negative');
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  assert(total > 0n, 'some weight is positive');

  const sign = amountMinor < 0n ? -1n : 1n;
  const amount = sign * amountMinor;
  const shares = weights.map((weight, index) => {
    const exact = amount * BigInt(weight);
    return { index, whole: exact / total, remainder: exact % total };
  });

  const leftOver = amount - shares.reduce((sum, share) => sum + share.whole, 0n);
  const roundedUp = new Set(shares.toSorted(byRemainder).slice(0, Number(leftOver)));
  return shares.map((share) => sign * (roundedUp.has(share) ? share.whole + 1n : share.whole));
}

type Share = { readonly index: number; readonly remainder: bigint };

function byRemainder(a: Share, b: Share): number {
  if (a.remainder === b.remainder) return a.index - b.index;
  return a.remainder > b.remainder ? -1 : 1;
}

function isWeight(weight: number): boolean {
  return Number.isSafeInteger(weight) && weight >= 0;
}
