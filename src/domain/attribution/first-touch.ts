import { onlyTouch } from './only-touch.ts';
import type { Touch } from './touch.ts';

/** All to the first touch: who brought the visitor. */
export function firstTouch(path: readonly Touch[]): number[] {
  return onlyTouch(path.length, 0);
}
