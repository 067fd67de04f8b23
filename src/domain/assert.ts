/**
 * Nothing, when the condition holds.
 *
 * - Throws when it does not hold: a bug in the caller. Input is refused with a `Result` instead.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}.`);
}
