/** A monotonic clock in milliseconds, and calls after a delay. Tests have their own, so that they need not wait. */
export interface Timers {
  now(): number;
  /** Calls `work` after a delay. Returns a function that cancels the call. */
  after(delayMs: number, work: () => void, options: { readonly keepsAlive: boolean }): () => void;
}

/** The timers of this machine. */
export const MACHINE_TIMERS: Timers = {
  now: () => performance.now(),
  after(delayMs, work, { keepsAlive }) {
    const timer = setTimeout(work, delayMs);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
};
