import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { revenue } from '../metrics/revenue.ts';
import type { Question } from '../question.ts';

/** A question of another kind, in the form in which the parts of SQL take questions: about revenue. */
export function toQuestion(
  asked: Pick<Question, 'site' | 'period' | 'filter' | 'dimensions'>,
): Question {
  return {
    ...asked,
    metrics: [revenue],
    attribution: { model: ATTRIBUTION_MODELS[0], lookbackDays: null },
    order: [],
    page: { limit: 0, offset: 0 },
    comparedWith: undefined,
  };
}
