/** Knows which statements are under way, and when they get stuck. */
export interface StatementWatch {
  /** A statement begins, with the parameters it came with; call what it answers at its end. */
  begin(search: URLSearchParams): () => void;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;
/** How much longer than its own limit a statement may take on a busy machine. */
const GRACE_MS = 10_000;
/** An insert takes a moment, but its disk may be busy. */
const INSERT_MAX_MS = 30_000;
/** Changes of many rows have no limit of their own. */
const OTHER_MAX_MS = 600_000;

/**
 * Calls `onStall` when a statement is under way for longer than it may take.
 *
 * - Why: a call to the kernel that fails in the wrong place leaves the engine waiting for itself, and
 *   then every other statement of its lane for it, while a heartbeat is still answered.
 */
export function watchStatements(onStall: () => void): StatementWatch {
  const deadlines = new Map<symbol, number>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const deadline of deadlines.values()) if (now > deadline) onStall();
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    begin(search) {
      const statement = Symbol('statement');
      deadlines.set(statement, performance.now() + limitOf(search) + GRACE_MS);
      return () => deadlines.delete(statement);
    },
    stop: () => clearInterval(timer),
  };
}

function limitOf(search: URLSearchParams): number {
  const seconds = Number(search.get('max_execution_time') ?? 0);
  if (seconds > 0) return seconds * 1_000;
  return /^\s*INSERT/i.test(search.get('query') ?? '') ? INSERT_MAX_MS : OTHER_MAX_MS;
}
