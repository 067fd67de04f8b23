import { watchWork } from './watch-work.ts';

/** Knows which statements are under way, and when they get stuck. */
export interface StatementWatch {
  /** A statement begins, with the parameters it came with; call what it answers at its end. */
  begin(search: URLSearchParams): () => void;
  stop(): void;
}

const TIMES = {
  lookEveryMs: 1_000,
  /** How much longer than its own limit a statement may take, on a machine that has time for it. */
  graceMs: 10_000,
  /** While the engine works: it looks at the limit between two steps, and one may wait long for processors. */
  busyGraceMs: 60_000,
  /** A process that comes so late to the next look was stopped meanwhile, and the statements with it. */
  awayMs: 5_000,
};
/** When the watch looks, and what it bears. */
export type WatchTimes = Readonly<typeof TIMES>;

/** An insert takes a moment, but its disk may be busy. */
const INSERT_MAX_MS = 30_000;
/** Changes of many rows have no limit of their own. */
const OTHER_MAX_MS = 600_000;

/**
 * Calls `onStall` when a statement is under way for longer than it may take, though the engine does
 * nothing; or for much longer, whatever the engine does.
 *
 * - Why: a call to the kernel that fails in the wrong place leaves the engine waiting for itself, and
 *   then every other statement of its lane for it, while a heartbeat is still answered.
 */
export function watchStatements(
  onStall: () => void,
  { lookEveryMs, graceMs, busyGraceMs, awayMs: longMs }: WatchTimes = TIMES,
): StatementWatch {
  const limits = new Map<symbol, number>();
  const work = watchWork(process.pid);
  let awayMs = 0;
  let lastLookAt = performance.now();
  /** Time that passes for the statements too. */
  const clock = () => performance.now() - awayMs;

  const timer = setInterval(() => {
    const sinceMs = performance.now() - lastLookAt;
    lastLookAt += sinceMs;
    if (sinceMs > longMs) awayMs += sinceMs;
    const overdueMs = clock() - Math.min(...limits.values());
    if (overdueMs < graceMs) {
      work.forget();
      return;
    }
    const isAtWork = work.isAtWork();
    if (overdueMs > (isAtWork ? busyGraceMs : graceMs)) onStall();
  }, lookEveryMs);
  timer.unref();
  return {
    begin(search) {
      const statement = Symbol('statement');
      limits.set(statement, clock() + limitOf(search));
      return () => limits.delete(statement);
    },
    stop: () => clearInterval(timer),
  };
}

function limitOf(search: URLSearchParams): number {
  const seconds = Number(search.get('max_execution_time') ?? 0);
  if (seconds > 0) return seconds * 1_000;
  return /^\s*INSERT/i.test(search.get('query') ?? '') ? INSERT_MAX_MS : OTHER_MAX_MS;
}
