/** One count, made in two places that must agree. */
export type Count = {
  /** What is counted, in words. */
  readonly what: string;
  /** What the journals, the ledger or the recount say: one value, or "from … to …". */
  readonly expected: string;
  /** What the warehouse has. */
  readonly found: string;
  readonly agrees: boolean;
};

/** The count of two values that must be the same. */
export function toCount(
  what: string,
  expected: bigint | number | string,
  found: bigint | number | string,
): Count {
  const texts = { expected: String(expected), found: String(found) };
  return { what, ...texts, agrees: texts.expected === texts.found };
}
