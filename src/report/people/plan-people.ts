import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { FactPlan, Scope } from '../query/plan/plan.ts';
import { planFact } from '../query/plan/plan-fact.ts';
import { planScope } from '../query/plan/plan-scope.ts';
import type { Resolved } from '../query/query-kind.ts';
import type { PeopleQuery } from './people-query.ts';

/** How a list of people is answered: from the facts that every other query is counted from. */
export type PeoplePlan = Scope &
  Pick<PeopleQuery, 'of' | 'order' | 'limit' | 'after'> & {
    /** What is searched for, with the persons that the ledger finds by it. */
    readonly search: { readonly text: string; readonly personIds: readonly string[] } | undefined;
    readonly visits: FactPlan;
    readonly events: FactPlan;
    readonly conversions: FactPlan;
    readonly payments: FactPlan;
  };

/** The plan of a list of people. */
export async function planPeople(
  warehouse: ReportWarehouse,
  { of, order, limit, after, query, facts }: Resolved<PeopleQuery>,
  search: PeoplePlan['search'],
): Promise<PeoplePlan> {
  const [conversions, payments] = await Promise.all([
    learnEffectsOf(warehouse, planFact('conversions', query, facts)),
    learnEffectsOf(warehouse, planFact('payments', query, facts)),
  ]);
  return {
    ...planScope(query, facts),
    ...{ of, order, limit, after, search, conversions, payments },
    visits: planFact('visits', query, facts),
    events: planFact('events', query, facts),
  };
}
