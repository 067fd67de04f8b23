import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { BaseQuery, Query } from '../query.ts';
import type { FactPlan } from './plan.ts';
import { planFact } from './plan-fact.ts';
import type { SiteFacts } from './plan-scope.ts';

/** The payments that an answer's money notes describe; nothing where every payment has its rate. */
export function planMoneyNotes(
  { attribution = UNCREDITED, ...query }: BaseQuery & Partial<Pick<Query, 'attribution'>>,
  facts: SiteFacts,
): FactPlan | undefined {
  if (!facts.uncertainMoney) return undefined;
  return planFact('payments', { ...query, attribution, dimensions: [] }, facts);
}

const UNCREDITED = { model: ATTRIBUTION_MODELS[0], lookbackDays: null } as const;
