import { onlyTouch } from './only-touch.ts';
import type { Touch } from './touch.ts';

/** All to the last touch that is not Direct; to the last of all where every one is. */
export function lastNonDirect(path: readonly Touch[]): number[] {
  const found = path.findLastIndex((touch) => !touch.isDirect);
  return onlyTouch(path.length, found < 0 ? path.length - 1 : found);
}
