import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * What `look` finds at last. Throws with what it found last when that takes so long that it never
 * comes, on the busiest machine: nothing is judged by it.
 */
export async function waitUntil<T>(
  look: () => Promise<T>,
  isDone: (found: T) => boolean,
  maxMs = 60_000,
): Promise<T> {
  const until = performance.now() + maxMs;
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (performance.now() > until) {
      throw new Error(`not within ${maxMs} ms; found last: ${JSON.stringify(found)}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
