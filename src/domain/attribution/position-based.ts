import type { Touch } from './touch.ts';

/**
 * 40 % to the first touch, 40 % to the last, and 20 % shared equally by those between. A lone touch
 * takes all; two take half each.
 *
 * - Units: whole numbers. `2n : 1 : … : 1 : 2n`, with n touches between, is 40 : 20 : 40 exactly.
 */
export function positionBased(path: readonly Touch[]): number[] {
  const between = path.length - 2;
  if (between <= 0) return path.map(() => 1);
  return path.map((_, index) => (index === 0 || index === path.length - 1 ? 2 * between : 1));
}
