import { removalEffects } from '#domain/attribution/removal-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { FactPlan, Layer, Plan } from '../query/plan/plan.ts';
import { type ChainRow, toChainStatement, toSteps } from './chain.ts';

/**
 * The plan with what `data_driven` goes by in its period, where a fact is credited by that; else as it is.
 *
 * Why in a statement of its own: credit takes a handful of numbers then, and no part of the warehouse's
 * SQL is about matrices.
 */
export async function learnEffects(warehouse: ReportWarehouse, plan: Plan): Promise<Plan> {
  const learn = async (layer: Layer): Promise<Layer> => ({
    ...layer,
    facts: await Promise.all(layer.facts.map((fact) => learnEffectsOf(warehouse, fact))),
  });
  const [rows, whole] = await Promise.all([learn(plan.rows), plan.whole && learn(plan.whole)]);
  return { ...plan, rows, whole };
}

/** The same of one fact. */
export async function learnEffectsOf(
  warehouse: ReportWarehouse,
  plan: FactPlan,
): Promise<FactPlan> {
  const { credit } = plan;
  if (credit.to !== 'path' || !credit.models.includes('data_driven')) return plan;
  const rows = await warehouse.select<ChainRow>(toChainStatement(plan));
  return { ...plan, credit: { ...credit, effects: removalEffects(toSteps(rows)) } };
}
