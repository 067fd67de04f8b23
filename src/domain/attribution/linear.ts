import type { Touch } from './touch.ts';

/** The same to each touch. */
export function linear(path: readonly Touch[]): number[] {
  return path.map(() => 1);
}
