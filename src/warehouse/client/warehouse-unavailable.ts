import { ClickHouseError } from '@clickhouse/client';
import { UnavailableError } from '#domain/unavailable.ts';

/** The warehouse did not answer: it is starting, has died, or is overloaded. */
export class WarehouseUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super(isMemoryUsedByOthers(cause) ? OUT_OF_MEMORY : 'The warehouse is not responding.', cause);
    this.name = 'WarehouseUnavailableError';
  }
}

const OUT_OF_MEMORY = 'Other statements are using all of the warehouse’s memory right now.';

/**
 * Whether the engine refused a statement because others use its memory, which is transient.
 *
 * - Source: ClickHouse 26.7; older ones say "Memory limit (for user) exceeded".
 */
function isMemoryUsedByOthers(error: unknown): boolean {
  if (!(error instanceof ClickHouseError) || error.type !== 'MEMORY_LIMIT_EXCEEDED') return false;
  return /\(total\)|\(for user\)|User memory limit/.test(error.message);
}

/** ClickHouse's error names for missing tables, which are being created or were lost. */
const LACKING: readonly string[] = ['UNKNOWN_DATABASE', 'UNKNOWN_TABLE'];

/** Whether the engine answered that a table is missing. */
export function lacksTables(error: unknown): boolean {
  if (!(error instanceof WarehouseUnavailableError)) return false;
  return error.cause instanceof ClickHouseError && LACKING.includes(error.cause.type ?? '');
}

/** Transient errors that do not depend on the statement: the engine is busy or starting. */
const TRANSIENT_ERRORS: ReadonlySet<string | undefined> = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  ...LACKING,
]);

/** ClickHouse's error codes for its disk, which do not depend on the statement. */
const MACHINE_ERRORS: ReadonlySet<string> = new Set(['243', '1001']);

/** Whether an error is transient and not the statement's fault. */
export function isTransient(error: ClickHouseError): boolean {
  const { type, code, message } = error;
  const isMachine = MACHINE_ERRORS.has(code) || /\berrno: \d+/.test(message);
  return isMachine || isMemoryUsedByOthers(error) || TRANSIENT_ERRORS.has(type);
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

/** Whether a query found the engine's files damaged or missing. For an insert, the error may be about its lines. */
export function isAboutFiles({ type }: ClickHouseError): boolean {
  return UNREADABLE_FILES.has(type);
}
