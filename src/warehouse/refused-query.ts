/** What about a question was too much: its time, the rows it reads, its memory, its own size, or its expressions. */
export type RefusedQuestionReason = 'duration' | 'rows' | 'memory' | 'size' | 'regular_expression';

/** The engine stopped a question at its limits, or could not read a regular expression in it. */
export class RefusedQuestionError extends Error {
  readonly reason: RefusedQuestionReason;

  constructor(reason: RefusedQuestionReason, cause: unknown) {
    super(`A question was refused: ${reason}.`, { cause });
    this.name = 'RefusedQuestionError';
    this.reason = reason;
  }
}
