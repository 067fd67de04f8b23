import type { Timers } from '#jobs/timers.ts';

/** Timers of a test, whose time passes when it says so. */
export interface ManualTimers extends Timers {
  /** Lets time pass: each call is made when it is due, and what follows from it is done before the next one. */
  pass(ms: number): Promise<void>;
}

/** Creates timers that begin at 0. */
export function createManualTimers(): ManualTimers {
  let now = 0;
  const calls = new Set<{ readonly at: number; readonly work: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after(delayMs, work) {
      const call = { at: now + Math.max(0, delayMs), work };
      calls.add(call);
      return () => calls.delete(call);
    },
    async pass(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        const next = [...calls].toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined || next.at > until) break;
        calls.delete(next);
        now = next.at;
        next.work();
        await settle();
      }
      now = until;
    },
  };
}
