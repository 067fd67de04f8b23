import { UnavailableError } from '#domain/unavailable.ts';
import { MACHINE_TIMERS } from '#jobs/timers.ts';
import type { Ask } from './ask-figures.ts';

/** A summary can wait for this long, because nobody looks at it meanwhile. */
const PATIENCE_MS = 60_000;

/**
 * Repeats a query that is refused because other queries run or the engine restarts. Throws its last
 * {@link UnavailableError} after a minute, and every other error at once.
 */
export function askPatiently(ask: Ask, timers = MACHINE_TIMERS): Ask {
  return async (site, query) => {
    const until = timers.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await ask(site, query);
      } catch (error) {
        if (!(error instanceof UnavailableError) || timers.now() > until) throw error;
        const waitMs = error.retryAfterSeconds * 1_000;
        await new Promise<void>((done) => timers.after(waitMs, done, { keepsAlive: false }));
      }
    }
  };
}
