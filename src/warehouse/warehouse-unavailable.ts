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
function isMemoryOfOthers(error: unknown): boolean {
  if (!(error instanceof ClickHouseError) || error.type !== 'MEMORY_LIMIT_EXCEEDED') return false;
  return /\(total\)|\(for user\)|User memory limit/.test(error.message);
}

/** ClickHouse's names for what is not there: it is just being made, or was lost. */
const LACKING: readonly string[] = ['UNKNOWN_DATABASE', 'UNKNOWN_TABLE'];

/** Whether it was the engine that answered, and it had no such table. */
export function lacksTables(error: unknown): boolean {
  if (!(error instanceof WarehouseUnavailableError)) return false;
  return error.cause instanceof ClickHouseError && LACKING.includes(error.cause.type ?? '');
}

/** What the engine says of itself rather than of the statement: it is busy, or just being made. */
const PASSING_TROUBLES: ReadonlySet<string | undefined> = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  ...LACKING,
]);

/** ClickHouse's numbers for its own disk, for which a statement can do nothing. */
const MACHINE_TROUBLES: ReadonlySet<string> = new Set(['243', '1001']);

/** Whether that is no fault of the statement. */
export function isPassing(error: ClickHouseError): boolean {
  const { type, code, message } = error;
  const isMachine = MACHINE_TROUBLES.has(code) || /\berrno: \d+/.test(message);
  return isMachine || isMemoryOfOthers(error) || PASSING_TROUBLES.has(type);
}

const UNREADABLE_FILES: ReadonlySet<string | undefined> = new Set([
  'ATTEMPT_TO_READ_AFTER_EOF',
  'BAD_SIZE_OF_FILE_IN_DATA_PART',
  'CANNOT_DECOMPRESS',
  'CANNOT_OPEN_FILE',
  'CANNOT_READ_ALL_DATA',
  'CANNOT_READ_FROM_FILE_DESCRIPTOR',
  'CHECKSUM_DOESNT_MATCH',
  'CORRUPTED_DATA',
  'FILE_DOESNT_EXIST',
  'NO_FILE_IN_DATA_PART',
  'UNKNOWN_CODEC',
]);

/** Whether a query found the engine's own files damaged or gone. Of an insert, that may be about its lines. */
export function isAboutFiles({ type }: ClickHouseError): boolean {
  return UNREADABLE_FILES.has(type);
}
