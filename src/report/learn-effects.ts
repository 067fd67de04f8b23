import { removalEffects } from '#domain/attribution/removal-effects.ts';
import { namesEvents } from './filter.ts';
import type { ReportWarehouse } from './ports.ts';
import type { CreditedFact, Question } from './question.ts';
import { type ChainRow, toChainStatement, toSteps } from './sql/chain.ts';
import { visitDimensions } from './sql/rows.ts';

/**
 * The question with what `data_driven` goes by in its period, where it is asked for that; else as it is.
 *
 * Why in a statement of its own: credit takes a handful of numbers then, and no part of the warehouse's
 * SQL is about matrices.
 */
export async function learnEffects(
  warehouse: ReportWarehouse,
  question: Question,
): Promise<Question> {
  const { attribution, metrics } = question;
  const models = attribution.models ?? [attribution.model];
  const namesVisits = visitDimensions(question).length > 0 || namesEvents(question.filter);
  if (!models.includes('data_driven') || !namesVisits) return question;
  const facts = new Set(metrics.flatMap(({ parts }) => Object.values(parts)).map(({ of }) => of));
  const effectsOf = async (fact: CreditedFact) => {
    if (!facts.has(fact)) return new Map<string, number>();
    const rows = await warehouse.select<ChainRow>(toChainStatement(question, fact));
    return removalEffects(toSteps(rows));
  };
  const [payments, conversions] = await Promise.all([
    effectsOf('payments'),
    effectsOf('conversions'),
  ]);
  return { ...question, attribution: { ...attribution, effects: { payments, conversions } } };
}
