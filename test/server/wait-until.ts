import { setTimeout as sleep } from 'node:timers/promises';

/** Polls quickly at first; later polls leave the processor to what is awaited. */
const LOOK_AGAIN_MS = 50;
const LOOK_AGAIN_MAX_MS = 400;

/**
 * Polls `look` until `isDone`, and returns what it found. Throws with the last result after a timeout that is never
 * reached, even on the busiest machine.
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
    againMs = Math.min(againMs * 2, LOOK_AGAIN_MAX_MS);
  }
}
