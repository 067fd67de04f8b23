import { figuresOf } from './job-figures.ts';
import { MACHINE_TIMERS, type Timers } from './timers.ts';

/** Work that is repeated for as long as a process runs. */
export type Job = {
  /** Its name in `/metrics`. */
  readonly name: string;
  /** From the beginning of one run to that of the next. Without it, the job runs only when it is woken. */
  readonly everyMs?: number;
  /** The delay after a failure, doubled with each further one, and the longest delay. Default: as ever. */
  readonly retryMs?: readonly [first: number, longest: number];
  /** Does the work. Throws if it failed. A stop aborts the signal, and waits. */
  run(stopped: AbortSignal): unknown;
  /** Called with the error when runs begin to fail, or fail for another reason; with nothing when they succeed again. */
  onChange?(failure?: Error): void;
  /** Whether it keeps the process alive. Default: no. */
  readonly keepsAlive?: boolean;
  readonly timers?: Timers;
};

/** A job that runs again and again. Its runs never overlap. */
interface RunningJob {
  /** Begins a run within this time, or when the delay after a failure is over. One in progress does not count. */
  wake(withinMs?: number): void;
  /** Runs once more, now or after the run in progress. Rejects if that fails. */
  runNow(): Promise<void>;
  /** Resolves when the run in progress has ended. There is none after that. */
  stop(): Promise<void>;
}

/** Keeps a job running until it is stopped. A failed run ends nothing: it is reported once and tried again. */
export function keepRunning(job: Job): RunningJob {
  const { everyMs = Number.POSITIVE_INFINITY, keepsAlive = false, timers = MACHINE_TIMERS } = job;
  const [firstRetryMs, retryMaxMs] = job.retryMs ?? [everyMs, everyMs];
  const stopping = new AbortController();
  const figures = figuresOf(job.name);
  let running: Promise<void> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let notBefore = Number.NEGATIVE_INFINITY;
  let retryMs = firstRetryMs;
  let failing: string | undefined;
  let cancel = () => {};

  /** Plans the next run for an instant, unless an earlier one is planned. */
  function plan(at: number): void {
    cancel();
    dueAt = Math.max(Math.min(dueAt, at), notBefore);
    if (running !== undefined || dueAt === Number.POSITIVE_INFINITY || stopping.signal.aborted)
      return;
    const begin = () => running ?? run().catch(() => {}); // What failed is reported.
    cancel = timers.after(Math.max(0, dueAt - timers.now()), begin, { keepsAlive });
  }

  function run(): Promise<void> {
    cancel();
    dueAt = Number.POSITIVE_INFINITY;
    const startedAt = timers.now();
    running = (async () => job.run(stopping.signal))().then(
      () => end(startedAt),
      (error: Error) => {
        end(startedAt, error);
        throw error;
      },
    );
    return running;
  }

  function end(startedAt: number, failure?: Error): void {
    const tookMs = timers.now() - startedAt;
    running = undefined;
    if (stopping.signal.aborted) return;
    figures.runs += 1;
    figures.tookMs += tookMs;
    if (failure === undefined) figures.succeededAt = Date.now();
    else figures.failures += 1;
    notBefore = failure === undefined ? Number.NEGATIVE_INFINITY : timers.now() + retryMs;
    retryMs = failure === undefined ? firstRetryMs : Math.min(retryMs * 2, retryMaxMs);
    // As a clock ticks, however long a run takes.
    plan(failure === undefined ? timers.now() + everyMs - (tookMs % everyMs) : notBefore);
    const reason = failure && String(failure);
    if (reason !== failing) job.onChange?.(failure);
    failing = reason;
  }

  plan(timers.now() + everyMs);
  return {
    wake: (withinMs = 0) => plan(timers.now() + withinMs),
    async runNow() {
      while (running !== undefined) await running.catch(() => {});
      if (!stopping.signal.aborted) await run();
    },
    async stop() {
      stopping.abort();
      cancel();
      await running?.catch(() => {});
    },
  };
}
