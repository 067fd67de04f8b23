/**
 * A part of a whole in percent, to two decimals, halves away from zero; null where the whole is not
 * above 0.
 */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole <= 0n ? null : Number(perHeadOf(10_000n * part, whole)) / 100;
}

/** An amount by the head, to the minor unit, halves away from zero. Heads are above 0. */
export function perHeadOf(amountMinor: bigint, heads: bigint): bigint {
  const sign = amountMinor < 0n ? -1n : 1n;
  return (sign * (2n * amountMinor * sign + heads)) / (2n * heads);
}
