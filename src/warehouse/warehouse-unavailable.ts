import { ClickHouseError } from '@clickhouse/client';
import { UnavailableError } from '#domain/unavailable.ts';

/** The warehouse did not answer: it is starting, has died, or is overloaded. */
export class WarehouseUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super(
      isMemoryOfOthers(cause) ? OUT_OF_MEMORY : 'The warehouse does not answer just now.',
      cause,
    );
    this.name = 'WarehouseUnavailableError';
  }
}

const OUT_OF_MEMORY = 'What runs just now needs all the memory of the warehouse.';

/**
 * Whether the engine refused a statement because of what others hold: that passes.
 *
 * - Source: ClickHouse 26.7; older ones say "Memory limit (for user) exceeded".
 */
export function isMemoryOfOthers(error: unknown): boolean {
  if (!(error instanceof ClickHouseError) || error.type !== 'MEMORY_LIMIT_EXCEEDED') return false;
  return /\(total\)|\(for user\)|User memory limit/.test(error.message);
}

/** ClickHouse's names for what is not there: it is just being made, or was lost. */
export const LACKING: readonly string[] = ['UNKNOWN_DATABASE', 'UNKNOWN_TABLE'];

/** Whether it was the engine that answered, and it had no such table. */
export function lacksTables(error: unknown): boolean {
  if (!(error instanceof WarehouseUnavailableError)) return false;
  return error.cause instanceof ClickHouseError && LACKING.includes(error.cause.type ?? '');
}
