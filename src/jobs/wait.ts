import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every so often until the answer is yes. Returns false if that takes too long. */
export async function waitUntil(
  isTrue: () => Promise<boolean>,
  { everyMs, maxMs }: { readonly everyMs: number; readonly maxMs: number },
): Promise<boolean> {
  for (const until = performance.now() + maxMs; ; await sleep(everyMs)) {
    if (await isTrue()) return true;
    if (performance.now() > until) return false;
  }
}

/** Does the work. Calls `onLate` if it takes longer than `maxMs`. */
export async function workInTime<T>(
  maxMs: number,
  work: () => Promise<T>,
  onLate: () => void,
): Promise<T> {
  const timer = setTimeout(onLate, maxMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
