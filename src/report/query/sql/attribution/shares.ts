/**
 * SQL that splits an amount in proportion to `weights`, whose sum is `weight_sum`: an array of parts that add up to
 * the amount, as in `splitAmount` of the domain.
 *
 * - Units: 128-bit integers. The amount is not negative.
 */
export function sharesSql(amount: string): string {
  const exact = `arrayMap(weight -> toInt128(${amount}) * weight, weights)`;
  const whole = `arrayMap(part -> intDiv(part, weight_sum), ${exact})`;
  const rests = `arrayMap(part -> part % weight_sum, ${exact})`;
  // The places of the parts, the largest remainder first; then each place's rank.
  const places = `arraySort((place, rest) -> (-rest, place), arrayEnumerate(weights), ${rests})`;
  const ranks = `arraySort((rank, place) -> place, arrayEnumerate(weights), ${places})`;
  return `arrayMap(
    (part, rank) -> part + toInt128(rank <= toInt128(${amount}) - arraySum(${whole})), ${whole}, ${ranks})`;
}

/**
 * SQL that splits an amount after `before` has been split: the parts of both together, less the parts of `before`.
 *
 * Why: partial refunds then take from each touch, to the cent, what the payment gave it.
 */
export function furtherSharesSql(amount: string, before: string): string {
  return `if(${before} = 0, ${sharesSql(amount)}, arrayMap((after, earlier) -> after - earlier,
    ${sharesSql(`(${before} + ${amount})`)}, ${sharesSql(before)}))`;
}
