import type { PersonDirectory } from '#ledger/persons/find-person-keys.ts';
import type { SearchPersons } from '#ledger/persons/search-persons.ts';
import type { ReportWarehouse } from '../ports.ts';
import { learnEffectsOf } from '../query/answer/learn-effects.ts';
import type { KindParts } from '../query/answer/query-kind.ts';
import type { FactPlan, Scope, SiteFacts } from '../query/plan/plan.ts';
import { type CreditedQuery, planFact, planScope } from '../query/plan/plan-fact.ts';

/** Dependencies of queries about people: those of all queries, and the ledger's identities. */
export type PeopleDeps = KindParts & { readonly ledger: PeopleLedger };

/** Lookups of persons in the ledger. */
export type PeopleLedger = PersonDirectory & { readonly searchPersons: SearchPersons };

/** The facts that receive credit, planned like in every other query. */
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

/** The ledger's identities of a person, with e-mail addresses if the reader may see them. */
export async function findKnownBy(
  ledger: PeopleLedger,
  siteId: string,
  personId: string,
  isPersonal: boolean,
) {
  const { visitors, users, customers, emails } = await ledger.findPersonKeys(siteId, personId);
  const isLoneVisitor = visitors.length === 0 && !personId.startsWith('~');
  return {
    person_id: personId,
    visitors: isLoneVisitor ? [personId] : [...visitors],
    user_ids: [...users],
    customer_ids: [...customers],
    ...(isPersonal && { emails: [...emails] }),
  };
}
