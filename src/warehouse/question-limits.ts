import type { ClickHouseSettings } from '@clickhouse/client';

/** What one question may cost before it is stopped. */
export type QuestionLimits = {
  readonly durationMs?: number;
  readonly readRows?: number;
  readonly memoryBytes?: number;
  /** On how many threads it may run. */
  readonly threadsMax?: number;
  /** Whether it is a report's, which others need not wait for. */
  readonly isReport?: boolean;
};

const DEFAULT_LIMITS = {
  durationMs: 10_000,
  readRows: 500_000_000,
  memoryBytes: 1_000_000_000,
  threadsMax: 0, // As many as there are cores.
  isReport: false,
} as const satisfies QuestionLimits;

/** The part of its memory that a question may fill with groups: merging them takes as much again. */
const SPILLS_AT = 3;

/** The limits as settings of the engine, with what all questions are asked with. */
export function toQuestionSettings(asked: QuestionLimits): ClickHouseSettings {
  const limits = { ...DEFAULT_LIMITS, ...asked };
  return {
    max_threads: limits.threadsMax,
    max_execution_time: limits.durationMs / 1000,
    max_rows_to_read: String(limits.readRows),
    max_memory_usage: String(limits.memoryBytes),
    output_format_json_quote_64bit_integers: 1,
    // A visit's partition is the month it began in, which is in its key: no two parts share one.
    do_not_merge_across_partitions_select_final: 1,
    ...(limits.isReport && {
      // Questions ask for many visitors at once: looking them up in an index reads all of it.
      use_index_for_in_with_subqueries: 0,
      // Groups of millions go on in files, at hardly any cost, instead of ending at the limit.
      max_bytes_before_external_group_by: String(Math.floor(limits.memoryBytes / SPILLS_AT)),
      max_bytes_before_external_sort: String(Math.floor(limits.memoryBytes / SPILLS_AT)),
    }),
  };
}
