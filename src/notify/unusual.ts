/** The distance from the usual value, in standard deviations, that makes a value unusual. */
const FAR = 4;
/** A smaller relative difference is never unusual, however steady the weeks are. */
const SHARE_MIN = 0.3;
/** Fewer weeks are too little to judge by. */
const WEEKS_MIN = 4;
/** For a normal distribution, the median absolute deviation times this is the standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** Payments differ in size, which adds to the noise of their number. */
const NOISE_OF_MONEY = 1.5;

type Unusual = { readonly expected: number; readonly isMore: boolean };

/**
 * Compares a value with previous weeks; `undefined` if it is not unusual, or if there is too little data.
 *
 * - Shape: the expected value is the median of the weeks, so one odd week changes nothing. A value is
 *   unusual if it is four standard deviations away. The deviation is estimated from the weeks, and never
 *   taken as less than chance alone would give.
 * - `units` are the independent events behind a value that is not a count: the payments behind revenue.
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
