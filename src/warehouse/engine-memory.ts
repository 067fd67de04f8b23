/** How the engine's memory is shared. All in bytes. */
export type EngineMemory = {
  /** What all statements, inserts and merges may hold together. */
  readonly statementsBytes: number;
  /** What reports' statements may hold together. */
  readonly queriesBytes: number;
  /** What each of them may hold. */
  readonly queryBytes: number;
};

/** What the engine's process takes before any statement, beside 30 MB that it counts itself; measured. */
const PROCESS_BYTES = 260_000_000;
/** The rest is for inserts and merges, and for what the allocator has not given back yet. */
const QUERIES_SHARE = 0.6;
const QUERIES_MAX_BYTES = 2_000_000_000;
/** As many queries run at once as the smallest machine has cores, and one of another site (report/scheduler). */
export const QUERIES_MAX = 3;

/**
 * Shares what the engine may take in all.
 *
 * - Why a share for each query rather than one limit for all of them: what the embedded engine counts for its
 *   user goes down only when nothing runs, so that after a few refused queries it would refuse all.
 * - Source: tried on ClickHouse 26.7 (chDB 3.4).
 */
export function shareEngineMemory(engineBytes: number): EngineMemory {
  const statementsBytes = engineBytes - PROCESS_BYTES;
  const queriesBytes = Math.floor(Math.min(QUERIES_MAX_BYTES, QUERIES_SHARE * statementsBytes));
  return { statementsBytes, queriesBytes, queryBytes: Math.floor(queriesBytes / QUERIES_MAX) };
}
