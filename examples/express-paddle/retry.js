import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `attempt` until it succeeds, after waiting so long before each further attempt. Throws the last error, or the
 * first that says `isFinal`. An error may ask for a longer wait by its `waitMs`.
 *
 * What still waits when the process ends is lost: if you have a queue of jobs, put the call there instead.
 */
export async function retry(waitsMs, attempt) {
  for (const waitMs of waitsMs) {
    try {
      return await attempt();
    } catch (error) {
      if (error.isFinal) throw error;
      await sleep(Math.max(waitMs, error.waitMs || 0));
    }
  }
  return attempt();
}
