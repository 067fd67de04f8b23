import type { QuestionLimits } from '#warehouse/question-limits.ts';

/**
 * A recount reads everything: as many rows as there are, and as long as the client waits.
 *
 * Why like a report: the look-up of a visitor for a goal does not wait for it.
 */
export const RECOUNT_LIMITS: QuestionLimits = { durationMs: 55_000, readRows: 0, isReport: true };
