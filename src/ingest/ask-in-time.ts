import { UnavailableError } from '#domain/unavailable.ts';
import { MACHINE_TIMERS } from '#jobs/timers.ts';

/** The timeout of a query, and how long no query is sent after a timeout. */
type Patience = { readonly answerMaxMs: number; readonly restMs: number };

/**
 * Adds a timeout and a circuit breaker to a query: throws {@link UnavailableError} after the timeout, and
 * then immediately for a while.
 *
 * Why: a warehouse that accepts connections but never answers must not block requests that can do
 * without it.
 */
export function askInTime<Asked extends unknown[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
  { answerMaxMs, restMs }: Patience,
  timers = MACHINE_TIMERS,
): (...asked: Asked) => Promise<Answer> {
  let restsUntil = 0;
  return async (...asked) => {
    if (timers.now() < restsUntil) throw timedOut();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const giveUp = () => {
      restsUntil = timers.now() + restMs;
      reject(timedOut());
    };
    const cancel = timers.after(answerMaxMs, giveUp, { keepsAlive: true });
    return Promise.race([ask(...asked), over]).finally(cancel);
  };
}

function timedOut(): UnavailableError {
  return new UnavailableError('The warehouse is not responding.');
}
