/** The shares of the engine's memory, in bytes. */
type EngineMemory = {
  /** Limit of all statements, inserts and merges together. */
  readonly statementsBytes: number;
  /** Limit of all report queries together. */
  readonly queriesBytes: number;
  /** Limit of each report query. */
  readonly queryBytes: number;
};

/** Base memory of the engine's process, besides 30 MB that it accounts for itself. Measured. */
const PROCESS_BYTES = 260_000_000;
/** The rest is for inserts and merges, and for memory that the allocator has not yet released. */
const QUERIES_SHARE = 0.6;
const QUERIES_MAX_BYTES = 2_000_000_000;
/** Concurrent queries: one per core of the smallest machine, plus one of another site (report/scheduler). */
export const QUERIES_MAX = 3;

/**
 * Divides the engine's memory.
 *
 * - Why a limit per query instead of one for all queries: the embedded engine's memory accounting per user shrinks
 *   only when nothing runs. After a few refused queries, it would refuse all.
 * - Source: tested on ClickHouse 26.7 (chDB 3.4).
 */
export function shareEngineMemory(engineBytes: number): EngineMemory {
  const statementsBytes = engineBytes - PROCESS_BYTES;
  const queriesBytes = Math.floor(Math.min(QUERIES_MAX_BYTES, QUERIES_SHARE * statementsBytes));
  return { statementsBytes, queriesBytes, queryBytes: Math.floor(queriesBytes / QUERIES_MAX) };
}
