/**
 * A store cannot be reached or cannot write just now. Nothing was recorded; repeating is safe.
 *
 * The http room answers it with 503 and `Retry-After`.
 */
export class UnavailableError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, cause?: unknown, retryAfterSeconds = 1) {
    super(message, { cause });
    this.name = 'UnavailableError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
