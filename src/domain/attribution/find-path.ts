/** How long after a payment a visit may begin and still be credited, when none began before it. */
export const LATE_TOUCH_MAX_MS = 10 * 60 * 1_000;

const DAY_MS = 86_400_000;

/**
 * The touches that credit for a payment or goal is shared among, the earliest first: those within the
 * lookback window, else the first that began within ten minutes after it, else none.
 *
 * - Shape: `touches` of one person in any order; of several at the same millisecond the first given
 *   counts.
 * - Units: `creditAt` in milliseconds; days of 24 hours, null for all history.
 * - Source: docs/decisions/0005-a-visit-just-after-the-payment-may-be-credited.md.
 */
export function findPath<T extends { readonly at: number }>(
  touches: readonly T[],
  creditAt: number,
  lookbackDays: number | null,
): readonly T[] {
  const windowAt = lookbackDays === null ? 0 : creditAt - lookbackDays * DAY_MS;
  const inOrder = touches
    .toSorted((a, b) => a.at - b.at)
    .filter((touch, index, all) => touch.at !== all[index - 1]?.at);
  const before = inOrder.filter(({ at }) => at >= windowAt && at <= creditAt);
  if (before.length > 0) return before;
  return inOrder
    .filter(({ at }) => at > creditAt && at <= creditAt + LATE_TOUCH_MAX_MS)
    .slice(0, 1);
}
