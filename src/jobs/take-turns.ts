/** How many calls go through at once, and how soon the next as many. */
type Turns = { readonly calls: number; readonly everyMs: number };

/**
 * Lets calls through in order, a few at a time, so that a burst of them leaves room for others. The first few of a burst
 * do not wait.
 *
 * @returns what to await before the work.
 */
export function takeTurns({ calls, everyMs }: Turns): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let free = calls;
  let timer: NodeJS.Timeout | undefined;

  function openNext(): void {
    const next = waiting.splice(0, calls);
    for (const resolve of next) resolve();
    free = calls - next.length;
    if (next.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return () =>
    new Promise((resolve) => {
      timer ??= setInterval(openNext, everyMs);
      if (free === 0) return void waiting.push(resolve);
      free -= 1;
      resolve();
    });
}
