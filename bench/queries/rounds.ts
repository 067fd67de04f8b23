import { median } from '../median.ts';

/** A timed piece of work of a round. */
export type Work = () => Promise<unknown>;

/**
 * The median time of each work in milliseconds, in the works' order; each runs once per round.
 *
 * - The first round fills caches and does not count.
 * - Why compared works are adjacent, and every other round runs in reverse: a slow second of the machine, or a minute
 *   of background work, then affects both alike.
 */
export async function runRounds(works: readonly Work[], rounds: number): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    const inOrder = [...works.entries()];
    for (const [index, work] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const startedAt = performance.now();
      await work();
      if (round > 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}
