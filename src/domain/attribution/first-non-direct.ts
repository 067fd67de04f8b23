import { onlyTouch } from './only-touch.ts';
import type { Touch } from './touch.ts';

/** All to the first touch that is not Direct; to the first of all where every one is. */
export function firstNonDirect(path: readonly Touch[]): number[] {
  const found = path.findIndex((touch) => !touch.isDirect);
  return onlyTouch(path.length, Math.max(found, 0));
}
