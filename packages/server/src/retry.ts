import { TributaryError } from './tributary-error.ts';

const FIRST_WAIT_MS = 250;
const WAIT_MAX_MS = 30_000;
/** A server may ask for more, but a wrong clock or number must not silence this one for days. */
const RETRY_AFTER_MAX_MS = 600_000;

/**
 * How long to wait after so many failures in a row: as long as the server asks for, else about twice as long each time.
 *
 * - Why by chance: what failed together must not come back together.
 */
export function toWaitMs(failures: number, error: TributaryError): number {
  const asked = Math.min(error.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  const own = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.max(asked, own * (0.5 + Math.random() / 2));
}

/** Calls `attempt` until it succeeds, for as long as it may take. Throws the last error. */
export async function retry<T>(attempt: () => Promise<T>, maxMs: number): Promise<T> {
  const until = Date.now() + maxMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TributaryError) || !error.isTemporary) throw error;
      const waitMs = toWaitMs(failures, error);
      if (Date.now() + waitMs > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
