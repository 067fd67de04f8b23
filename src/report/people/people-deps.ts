import type { PersonKeys, PersonSearch, StatedIdentity } from '#domain/identity/person.ts';
import type { ReportWarehouse } from '../ports.ts';
import { learnEffectsOf } from '../query/answer/learn-effects.ts';
import type { KindParts } from '../query/answer/query-kind.ts';
import type { FactPlan, Scope, SiteFacts } from '../query/plan/plan.ts';
import { type CreditedQuery, planFact, planScope } from '../query/plan/plan-fact.ts';

/** Dependencies of queries about people: those of all queries, and the ledger's identities. */
export type PeopleDeps = KindParts & { readonly ledger: PeopleLedger };

/** Lookup of persons by their ids in the warehouse: many at once, as each query holds up what else the process does. */
export interface PeopleLedger {
  findPersonKeys(
    siteId: string,
    personIds: readonly string[],
  ): Promise<ReadonlyMap<string, PersonKeys>>;
  /** A few persons with improbably many visitors, the largest first. */
  findLargePersons(siteId: string): Promise<readonly PersonKeys[]>;
  /** Identities reported for these visitors, earliest first. */
  findIdentities(siteId: string, visitorIds: readonly string[]): Promise<readonly StatedIdentity[]>;
  /** Distinct payer names of these transactions. */
  findPayerNames(siteId: string, transactionIds: readonly string[]): Promise<readonly string[]>;
  /** Persons with an id, e-mail address or name that contains a text: their ids. */
  searchPersons(search: PersonSearch): Promise<readonly string[]>;
}

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

const NO_KEYS: PersonKeys = { visitors: [], users: [], customers: [], emails: [] };

/** The ledger's identities of a person, if it has any, with e-mail addresses if the reader may see them. */
export function toKnownBy(
  personId: string,
  { visitors, users, customers, emails } = NO_KEYS,
  isPersonal: boolean,
) {
  const isLoneVisitor = visitors.length === 0 && !personId.startsWith('~');
  return {
    person_id: personId,
    visitors: isLoneVisitor ? [personId] : [...visitors],
    user_ids: [...users],
    customer_ids: [...customers],
    ...(isPersonal && { emails: [...emails] }),
  };
}
