import { UnavailableError } from '#domain/unavailable.ts';

/** How long an answer is waited for, and how long nothing is asked after one that did not come. */
export type Patience = { readonly answerMaxMs: number; readonly restMs: number };

/**
 * The same query with a short wait: throws {@link UnavailableError} where no answer comes in time, and at
 * once for a while after that.
 *
 * Why: a warehouse that takes connections and never answers would hold up requests that can do without its answer.
 */
export function askInTime<Asked extends unknown[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
  { answerMaxMs, restMs }: Patience,
): (...asked: Asked) => Promise<Answer> {
  let restsUntil = 0;
  return async (...asked) => {
    if (performance.now() < restsUntil) throw silent();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      restsUntil = performance.now() + restMs;
      reject(silent());
    }, answerMaxMs);
    try {
      return await Promise.race([ask(...asked), over]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function silent(): UnavailableError {
  return new UnavailableError('The warehouse does not answer just now.');
}
