/**
 * Asserts a condition.
 *
 * - Throws when it does not hold: a bug in the caller. For invalid input, return a refusal instead.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}.`);
}
