import { removalEffects } from '#domain/attribution/removal-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import { namesEvents } from '../query/filter.ts';
import type { CreditedFact, Query } from '../query/query.ts';
import { visitDimensions } from '../query/sql/rows.ts';
import { type ChainRow, toChainStatement, toSteps } from './chain.ts';

/**
 * The query with what `data_driven` goes by in its period, where it is asked for that; else as it is.
 *
 * Why in a statement of its own: credit takes a handful of numbers then, and no part of the warehouse's
 * SQL is about matrices.
 */
export async function learnEffects(warehouse: ReportWarehouse, query: Query): Promise<Query> {
  const { attribution, metrics } = query;
  const models = attribution.models ?? [attribution.model];
  const namesVisits = visitDimensions(query).length > 0 || namesEvents(query.filter);
  if (!models.includes('data_driven') || !namesVisits) return query;
  const facts = new Set(metrics.flatMap(({ parts }) => Object.values(parts)).map(({ of }) => of));
  const effectsOf = async (fact: CreditedFact) => {
    if (!facts.has(fact)) return new Map<string, number>();
    const rows = await warehouse.select<ChainRow>(toChainStatement(query, fact));
    return removalEffects(toSteps(rows));
  };
  const [payments, conversions] = await Promise.all([
    effectsOf('payments'),
    effectsOf('conversions'),
  ]);
  return { ...query, attribution: { ...attribution, effects: { payments, conversions } } };
}
