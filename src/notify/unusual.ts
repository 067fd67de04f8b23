/** So many times what is usual between one week and another. */
const FAR = 4;
/** What differs by less is no news, however even the weeks are. */
const SHARE_MIN = 0.3;
/** Fewer weeks say too little of what is usual. */
const WEEKS_MIN = 4;
/** The median distance from the median, of values spread as a bell, is that part of their deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** Payments differ in size, which adds to the noise of their number. */
const NOISE_OF_MONEY = 1.5;

/** A value of today far from usual: what is usual. */
export type Unusual = { readonly expected: number; readonly isMore: boolean };

/**
 * Whether a count is far from those of the weeks before; nothing when it is not, or when they say too little.
 *
 * - Shape: usual is the median of the weeks, so one odd week changes nothing. Far is four deviations: those of
 *   the weeks, and no less than what chance alone makes of a count.
 * - `units` is how many independent things make up a value that is no count: payments of an amount of money.
 */
export function findUnusual(
  value: number,
  weeks: readonly number[],
  { countMin, units }: { readonly countMin: number; readonly units?: readonly number[] },
): Unusual | undefined {
  const expected = median(weeks);
  const counted = median(units ?? weeks);
  if (weeks.length < WEEKS_MIN || counted < countMin) return undefined;
  const chance =
    units === undefined ? Math.sqrt(expected) : (NOISE_OF_MONEY * expected) / Math.sqrt(counted);
  const spread = MAD_TO_DEVIATION * median(weeks.map((each) => Math.abs(each - expected)));
  const distance = Math.abs(value - expected);
  const isFar = distance > FAR * Math.max(chance, spread) && distance >= SHARE_MIN * expected;
  return isFar ? { expected, isMore: value > expected } : undefined;
}

function median(values: readonly number[]): number {
  const inOrder = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [
    inOrder[Math.floor((inOrder.length - 1) / 2)],
    inOrder[Math.ceil((inOrder.length - 1) / 2)],
  ];
  return (low + high) / 2;
}
