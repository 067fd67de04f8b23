import type { ClickHouseSettings } from '@clickhouse/client';
import { RefusedQueryError } from '#domain/refused-query.ts';

/** Limits at which a query is stopped. */
export type QueryLimits = {
  readonly durationMs?: number;
  readonly readRows?: number;
  /** Default: a query's share of the engine's memory. */
  readonly memoryBytes?: number;
  /** Maximum number of threads. */
  readonly threadsMax?: number;
  /** Whether it is a report query, which runs in its own lane. */
  readonly isReport?: boolean;
  /** Aborts the query, both before and after it has reached the engine. */
  readonly signal?: AbortSignal | undefined;
};

const DEFAULT_LIMITS = {
  durationMs: 10_000,
  readRows: 500_000_000,
  threadsMax: 0, // The number of cores.
  isReport: false,
} as const satisfies QueryLimits;

/** Limits for full scans: any number of rows, and as long as the client waits. */
export const WHOLE_LIMITS: QueryLimits = { durationMs: 55_000, readRows: 0 };

/** Maximum length of a statement: lists of millions of people are part of it. */
export const STATEMENT_MAX_BYTES = 128 * 1024 * 1024;

/** The limits as engine settings, plus the settings of all queries. */
function toQuerySettings(asked: QueryLimits, memoryBytes: number): ClickHouseSettings {
  const limits = { ...DEFAULT_LIMITS, memoryBytes, ...asked };
  return {
    max_threads: limits.threadsMax,
    max_execution_time: limits.durationMs / 1000,
    max_rows_to_read: String(limits.readRows),
    max_memory_usage: String(limits.memoryBytes),
    output_format_json_quote_64bit_integers: 1,
    max_query_size: String(STATEMENT_MAX_BYTES),
    // Compiling takes a third of the time of queries that are new to the engine, and long ones gain nothing by it.
    ...{ compile_expressions: 0, compile_aggregate_expressions: 0, compile_sort_description: 0 },
    // Nothing follows from our comparisons. Looking for it took 350 of the 500 ms of planning recurring revenue.
    optimize_and_compare_chain: 0,
    // A visit's partition is the month of its start, which is part of its key, so its rows share a partition.
    do_not_merge_across_partitions_select_final: 1,
    // Report queries select many visitors. Looking them up in the index would read all of it.
    ...(limits.isReport && { use_index_for_in_with_subqueries: 0 }),
    cancel_http_readonly_queries_on_client_close: 1, // For a remote server. The embedded engine does so by itself (engine-server.ts).
  };
}

/** Share of a query's memory at which grouping and sorting spill to disk. */
const SPILLS_AT = 0.3;

/**
 * Runs a query with the limits as settings. If a report query exceeds its memory, runs it again with grouping and
 * sorting that spill to disk.
 *
 * Why not at the first attempt: queries that fit into memory take twice as long with spilling.
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
