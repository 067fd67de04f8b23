import type { Touch } from './touch.ts';

/** A touch counts half as much as one that is so much later. */
export const HALF_LIFE_MS = 7 * 86_400_000;

/** What the last touch of a path weighs: fine enough that whole numbers change no cent. */
export const LAST_TOUCH_WEIGHT = 1_000_000_000;

/**
 * To each touch half as much as to one seven days later.
 *
 * - Units: whole numbers, against the path's last touch: only proportions count, and what lies
 *   seven months before it gets nothing at all.
 */
export function timeDecay(path: readonly Touch[]): number[] {
  const lastAt = path.at(-1)?.at ?? 0;
  return path.map(({ at }) => Math.floor(LAST_TOUCH_WEIGHT * 2 ** ((at - lastAt) / HALF_LIFE_MS)));
}
