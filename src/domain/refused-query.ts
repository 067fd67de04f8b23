/** What about a query was too much: its time, the rows it reads, its memory, its own size, or its expressions. */
export type RefusedQueryReason = 'duration' | 'rows' | 'memory' | 'size' | 'regular_expression';

/** The engine stopped a query at its limits, or could not read a regular expression in it. */
export class RefusedQueryError extends Error {
  readonly reason: RefusedQueryReason;

  constructor(reason: RefusedQueryReason, cause: unknown) {
    super(`A query was refused: ${reason}.`, { cause });
    this.name = 'RefusedQueryError';
    this.reason = reason;
  }
}
