import type { PersonDirectory } from '#ledger/persons/find-person-keys.ts';
import type { SearchPersons } from '#ledger/persons/search-persons.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportWarehouse } from '../ports.ts';
import type { FactPlan, Scope } from '../query/plan/plan.ts';
import {
  type CreditedQuery,
  planFact,
  planScope,
  type SiteFacts,
} from '../query/plan/plan-fact.ts';
import type { KindParts } from '../query/query-kind.ts';

/** What queries about people need: those of all kinds of queries, and what the ledger knows people by. */
export type PeopleDeps = KindParts & { readonly ledger: PeopleLedger };

/** What is looked up in the ledger about persons. */
export type PeopleLedger = PersonDirectory & { readonly searchPersons: SearchPersons };

/** The facts that credit is given for, planned as every other query plans them. */
export type CreditedPlan = Scope & { readonly payments: FactPlan; readonly conversions: FactPlan };

/** Plans the payments and conversions of a query. */
export async function planCredited(
  warehouse: ReportWarehouse,
  query: CreditedQuery,
  facts: SiteFacts,
): Promise<CreditedPlan> {
  const [payments, conversions] = await Promise.all([
    learnEffectsOf(warehouse, planFact('payments', query, facts, { needs: ['person'] })),
    learnEffectsOf(warehouse, planFact('conversions', query, facts)),
  ]);
  return { ...planScope(query, facts), payments, conversions };
}

/** What the ledger knows a person by, with e-mail addresses for those who may see them. */
export function findKnownBy(
  ledger: PeopleLedger,
  siteId: string,
  personId: string,
  isPersonal: boolean,
) {
  const { visitors, users, customers, emails } = ledger.findPersonKeys(siteId, personId);
  const isLoneVisitor = visitors.length === 0 && !personId.startsWith('~');
  return {
    person_id: personId,
    visitors: isLoneVisitor ? [personId] : [...visitors],
    user_ids: [...users],
    customer_ids: [...customers],
    ...(isPersonal && { emails: [...emails] }),
  };
}
