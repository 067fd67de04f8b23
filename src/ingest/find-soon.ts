import { UnavailableError } from '#domain/unavailable.ts';
import { askInTime } from './ask-in-time.ts';
import type { VisitorDirectory } from './ports.ts';

/** How long a write waits for its visitor's lookup, and how many wait at once. More do without one. */
const [WAIT_MAX_MS, WAITING_MAX] = [250, 256];

/**
 * Finds visitors, or says that it is not known in time who they are.
 *
 * - Why bounded: a slow warehouse must not slow writes down that can do without it, and a dead one must not refuse them.
 */
export function createFindSoon(directory: Pick<VisitorDirectory, 'find'>) {
  const find = askInTime(directory.find, { answerMaxMs: WAIT_MAX_MS, restMs: 0 });
  let waiting = 0;

  return async (siteId: string, visitorId: string) => {
    if (waiting >= WAITING_MAX) return 'undecided';
    waiting += 1;
    try {
      return await find(siteId, visitorId, 'once');
    } catch (error) {
      if (error instanceof UnavailableError) return 'undecided';
      throw error;
    } finally {
      waiting -= 1;
    }
  };
}
