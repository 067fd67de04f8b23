/** A store cannot be reached or cannot write just now (503). Nothing was recorded; repeating is safe. */
export class UnavailableError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, cause?: unknown, retryAfterSeconds = 1) {
    super(message, { cause });
    this.name = 'UnavailableError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
