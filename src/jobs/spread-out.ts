import { MACHINE_TIMERS } from './timers.ts';

/** How many calls go through at once, and how soon the next as many. */
type Turns = { readonly calls: number; readonly everyMs: number };

/**
 * Lets calls through in order, a few at a time, so that a burst of them leaves room for others. The first few of a burst
 * do not wait.
 *
 * @returns what to await before the work.
 */
export function spreadOut({ calls, everyMs }: Turns, timers = MACHINE_TIMERS): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let free = calls;
  let isTurn = false;

  function begin(): void {
    isTurn = true;
    timers.after(everyMs, end, { keepsAlive: true });
  }

  function end(): void {
    const next = waiting.splice(0, calls);
    for (const resolve of next) resolve();
    free = calls - next.length;
    isTurn = false;
    if (next.length > 0) begin();
  }

  return () =>
    new Promise((resolve) => {
      if (!isTurn) begin();
      if (free === 0) return void waiting.push(resolve);
      free -= 1;
      resolve();
    });
}
