import { keepRunning } from '#jobs/keep-running.ts';
import { watchWork } from './watch-work.ts';

const TIMES = {
  checkEveryMs: 1_000,
  /** How far a statement may exceed its limit while the engine is idle. */
  graceMs: 10_000,
  /** How far while the engine is busy. It checks limits only between steps, and a step may wait for CPUs. */
  busyGraceMs: 60_000,
  /** If a check comes this late, the process was suspended, and its statements with it. */
  suspendedMs: 5_000,
};
/** Intervals and tolerances of the watchdog. */
export type WatchTimes = Readonly<typeof TIMES>;

/** Inserts are fast, but the disk may be busy. */
const INSERT_MAX_MS = 30_000;
/** Mutations have no limit of their own. */
const OTHER_MAX_MS = 600_000;

/**
 * Creates a watchdog that calls `onStall` when a statement exceeds its limit while the engine is idle, or exceeds it
 * by far even while the engine is busy.
 *
 * - Why: a system call that fails in the wrong place can deadlock the engine. All other statements of the lane then
 *   wait too, while the heartbeat is still answered.
 */
export function watchStatements(
  onStall: () => void,
  { checkEveryMs, graceMs, busyGraceMs, suspendedMs: suspendedMinMs }: WatchTimes = TIMES,
) {
  const limits = new Map<symbol, number>();
  const work = watchWork(process.pid);
  let suspendedMs = 0;
  let checkedAt = performance.now();
  /** A clock that excludes the time in which the process was suspended. */
  const clock = () => performance.now() - suspendedMs;

  function check(): void {
    const sinceMs = performance.now() - checkedAt;
    checkedAt += sinceMs;
    if (sinceMs > suspendedMinMs) suspendedMs += sinceMs;
    const overdueMs = clock() - Math.min(...limits.values());
    if (overdueMs < graceMs) {
      work.forget();
      return;
    }
    const isAtWork = work.isAtWork();
    if (overdueMs > (isAtWork ? busyGraceMs : graceMs)) onStall();
  }

  const { stop } = keepRunning({ name: 'statements', everyMs: checkEveryMs, run: check });
  return {
    /** Registers a statement with its request parameters. Call the returned function at its end. */
    begin(search: URLSearchParams): () => void {
      const statement = Symbol('statement');
      limits.set(statement, clock() + limitOf(search));
      return () => limits.delete(statement);
    },
    stop,
  };
}

function limitOf(search: URLSearchParams): number {
  const seconds = Number(search.get('max_execution_time') ?? 0);
  if (seconds > 0) return seconds * 1_000;
  return /^\s*INSERT/i.test(search.get('query') ?? '') ? INSERT_MAX_MS : OTHER_MAX_MS;
}
