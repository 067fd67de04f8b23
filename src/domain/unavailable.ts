/** A store cannot be reached or cannot write just now (503). Nothing was recorded; repeating is safe. */
export class UnavailableError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, cause?: unknown, retryAfterSeconds = 1) {
    super(message, { cause });
    this.name = 'UnavailableError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * SQLite's codes (rescode.html) for trouble with a file or the machine: permissions, locks (5, 6), memory, a disk that
 * fails (10), damage (11, 26), no room, no such file. All others are faults of a statement.
 */
const FILE_TROUBLES: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** Whether a database could not be read. Extended codes have the code in their low byte. */
export function isUnreadable(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && FILE_TROUBLES.has(Number(errcode) & 0xff);
}
