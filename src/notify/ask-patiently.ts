import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Ask } from './ask-figures.ts';

/** A summary can wait for this long, because nobody looks at it meanwhile. */
const PATIENCE_MS = 60_000;

/**
 * Repeats a query that is refused because other queries run or the engine restarts. Throws its last
 * {@link UnavailableError} after a minute, and every other error at once.
 */
export function askPatiently(ask: Ask, patienceMs = PATIENCE_MS): Ask {
  return async (site, query) => {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        return await ask(site, query);
      } catch (error) {
        if (!(error instanceof UnavailableError) || performance.now() > until) throw error;
        await sleep(error.retryAfterSeconds * 1_000, undefined, { ref: false });
      }
    }
  };
}
