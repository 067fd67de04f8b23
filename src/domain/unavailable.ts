/** A store is unreachable or cannot write right now (503). Nothing was recorded; retrying is safe. */
export class UnavailableError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, cause?: unknown, retryAfterSeconds = 1) {
    super(message, { cause });
    this.name = 'UnavailableError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * SQLite result codes (rescode.html) for failures of the file or the machine: permissions, locks
 * (5, 6), memory, I/O (10), corruption (11, 26), disk full, missing file. All other codes are faults
 * in a statement.
 */
const FILE_TROUBLES: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** Whether an error means that a database cannot be read or written. The low byte of an extended code decides. */
export function isUnreadable(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && FILE_TROUBLES.has(Number(errcode) & 0xff);
}
