/** The limit that a query exceeded: time, rows read, memory, its own size, or regular expressions. */
export type RefusedQueryReason = 'duration' | 'rows' | 'memory' | 'size' | 'regular_expression';

/** The engine stopped a query at a limit, or could not compile a regular expression in it. */
export class RefusedQueryError extends Error {
  readonly reason: RefusedQueryReason;

  constructor(reason: RefusedQueryReason, cause: unknown) {
    super(`A query was refused: ${reason}.`, { cause });
    this.name = 'RefusedQueryError';
    this.reason = reason;
  }
}

/** How the message begins if it was the duration. */
export const TOO_SLOW = 'The query takes too long';
