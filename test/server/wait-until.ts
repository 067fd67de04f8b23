import { setTimeout as sleep } from 'node:timers/promises';

/** The first looks come soon; later ones leave the processor to what is waited for. */
const LOOK_AGAIN_MS = 20;
const LOOK_AGAIN_MAX_MS = 200;

/**
 * What `look` finds at last. Throws with what it found last when that takes so long that it never
 * comes, on the busiest machine: nothing is judged by it.
 */
export async function waitUntil<T>(
  look: () => Promise<T>,
  isDone: (found: T) => boolean,
  maxMs = 180_000,
): Promise<T> {
  const until = performance.now() + maxMs;
  let againMs = LOOK_AGAIN_MS;
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (performance.now() > until) {
      throw new Error(`not within ${maxMs} ms; found last: ${JSON.stringify(found)}`);
    }
    await sleep(againMs);
    againMs = Math.min(againMs * 1.5, LOOK_AGAIN_MAX_MS);
  }
}
