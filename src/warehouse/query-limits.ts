import type { ClickHouseSettings } from '@clickhouse/client';
import { RefusedQueryError } from '#domain/refused-query.ts';

/** What one query may cost before it is stopped. */
export type QueryLimits = {
  readonly durationMs?: number;
  readonly readRows?: number;
  /** A query's share of the engine's memory when left out. */
  readonly memoryBytes?: number;
  /** On how many threads it may run. */
  readonly threadsMax?: number;
  /** Whether it is a report's, which others need not wait for. */
  readonly isReport?: boolean;
  /** Stops it wherever it is: before it reaches the engine, and in there. */
  readonly signal?: AbortSignal | undefined;
};

const DEFAULT_LIMITS = {
  durationMs: 10_000,
  readRows: 500_000_000,
  threadsMax: 0, // As many as there are cores.
  isReport: false,
} as const satisfies QueryLimits;

/** Of what reads everything: as many rows as there are, and as long as the client waits. */
export const WHOLE_LIMITS: QueryLimits = { durationMs: 55_000, readRows: 0 };

/** The limits as settings of the engine, with what all queries are asked with. */
function toQuerySettings(asked: QueryLimits, memoryBytes: number): ClickHouseSettings {
  const limits = { ...DEFAULT_LIMITS, memoryBytes, ...asked };
  return {
    max_threads: limits.threadsMax,
    max_execution_time: limits.durationMs / 1000,
    max_rows_to_read: String(limits.readRows),
    max_memory_usage: String(limits.memoryBytes),
    output_format_json_quote_64bit_integers: 1,
    // A visit's partition is the month it began in, which is in its key: no two parts share one.
    do_not_merge_across_partitions_select_final: 1,
    // Queries ask for many visitors at once: looking them up in an index reads all of it.
    ...(limits.isReport && { use_index_for_in_with_subqueries: 0 }),
    cancel_http_readonly_queries_on_client_close: 1, // By a server; ours does by itself (engine-face.ts).
  };
}

/** The part of its memory that groups and sorting fill before they go on in files. */
const SPILLS_AT = 0.3;

/**
 * Asks a query with the limits as settings. A report's that needs more memory than it may have is
 * asked once more, with groups of millions and sorting in files.
 *
 * Why not so at once: what fits takes twice the time in files.
 */
export async function askWithin<Answer>(
  limits: QueryLimits,
  memoryBytes: number,
  ask: (settings: ClickHouseSettings) => Promise<Answer>,
): Promise<Answer> {
  const settings = toQuerySettings(limits, memoryBytes);
  try {
    return await ask(settings);
  } catch (error) {
    const isTooMuch = error instanceof RefusedQueryError && error.reason === 'memory';
    if (!isTooMuch || limits.isReport !== true) throw error;
    limits.signal?.throwIfAborted();
    const spillsAt = `${Math.floor(SPILLS_AT * Number(settings.max_memory_usage))}`;
    return ask({
      ...settings,
      max_bytes_before_external_group_by: spillsAt,
      max_bytes_before_external_sort: spillsAt,
    });
  }
}
