/**
 * SQL of an amount split in proportion to `weights`, with `weight_sum` their sum: an array of parts
 * that add up to the amount, as `splitAmount` of the domain has them.
 *
 * - Units: whole numbers of 128 bits, the amount not negative.
 */
export function sharesSql(amount: string): string {
  const exact = `arrayMap(weight -> toInt128(${amount}) * weight, weights)`;
  const whole = `arrayMap(part -> intDiv(part, weight_sum), ${exact})`;
  const rests = `arrayMap(part -> part % weight_sum, ${exact})`;
  // The places of the parts, the largest rest first; then the rank of each place.
  const places = `arraySort((place, rest) -> (-rest, place), arrayEnumerate(weights), ${rests})`;
  const ranks = `arraySort((rank, place) -> place, arrayEnumerate(weights), ${places})`;
  return `arrayMap(
    (part, rank) -> part + toInt128(rank <= toInt128(${amount}) - arraySum(${whole})), ${whole}, ${ranks})`;
}

/**
 * SQL of the parts of an amount of which `before` was split already: what both together come to, less
 * what `before` came to.
 *
 * Why: refunds in parts then take from each touch, to the cent, what the payment gave it.
 */
export function furtherSharesSql(amount: string, before: string): string {
  return `if(${before} = 0, ${sharesSql(amount)}, arrayMap((after, earlier) -> after - earlier,
    ${sharesSql(`(${before} + ${amount})`)}, ${sharesSql(before)}))`;
}
