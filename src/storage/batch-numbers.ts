/** Before the first batch of any journal. */
const NUMBERS_SINCE = Date.UTC(2025);

/**
 * The number after which a queue that was just opened goes on, where `stored` is the last that it knows of: at
 * least the milliseconds since 2025.
 *
 * Why: a number is never used twice, or the warehouse would take a new batch for one it has, and a file that was
 * lost, emptied or brought back from a backup knows too little. No queue commits a thousand batches a second,
 * year in, year out.
 */
export function numbersAfter(stored: number): number {
  return Math.max(stored, Date.now() - NUMBERS_SINCE);
}
