import { type QuestionLimits, WHOLE_LIMITS } from '#warehouse/question-limits.ts';

/**
 * A recount reads everything.
 *
 * Why like a report: the look-up of a visitor for a goal does not wait for it.
 */
export const RECOUNT_LIMITS: QuestionLimits = { ...WHOLE_LIMITS, isReport: true };
