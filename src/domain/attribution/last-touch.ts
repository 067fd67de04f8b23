import { onlyTouch } from './only-touch.ts';
import type { Touch } from './touch.ts';

/** All to the last touch: what the visitor came by before paying. */
export function lastTouch(path: readonly Touch[]): number[] {
  return onlyTouch(path.length, path.length - 1);
}
