import type { Stops } from '../ports.ts';
import { busy } from './fair-queue.ts';

/** Those who wait for one answer. */
export interface Waiters {
  /** Tells when the last of them has left. */
  readonly stops: Stops;
  readonly isLeft: boolean;
  readonly hasBegun: boolean;
  /** The query has its turn: nobody runs out of patience any more. */
  begin(): void;
  /** One more asks, who leaves with what the signal says, or when it has not begun within their patience. */
  waitFor<Answer>(answer: Promise<Answer>, leaves?: Stops): Promise<Answer>;
}

/** Nobody yet. Each who asks waits so long for the query to begin. */
export function createWaiters(patienceMs: number): Waiters {
  const left = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let there = 0;
  let hasBegun = false;
  return {
    stops: { signal: left.signal },
    get isLeft() {
      return left.signal.aborted;
    },
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      hasBegun = true;
      for (const timer of timers) clearTimeout(timer);
    },
    waitFor(answer, leaves) {
      there += 1;
      return new Promise((resolve, reject) => {
        const signal = leaves?.signal;
        const leave = (reason: unknown) => {
          reject(reason);
          settle();
          there -= 1;
          if (there === 0) left.abort(reason);
        };
        const hangUp = () => leave(signal?.reason);
        const timer = hasBegun ? undefined : setTimeout(() => leave(busy()), patienceMs).unref();
        if (timer !== undefined) timers.add(timer);
        signal?.addEventListener('abort', hangUp);
        const settle = () => {
          clearTimeout(timer);
          if (timer !== undefined) timers.delete(timer);
          signal?.removeEventListener('abort', hangUp);
        };
        answer.then(resolve, reject).finally(settle);
      });
    },
  };
}
