import type { ProviderFact } from '../facts.ts';
import { type Draft, leastOf, type PayerFact } from './drafts.ts';
import { compare, type MoneyGroup } from './group-facts.ts';

/** How a payment's visitor was found. */
export type FoundBy = 'event' | 'subscription' | 'order' | 'customer';

type FoundPayer = {
  readonly visitorId?: string | undefined;
  readonly foundBy: FoundBy | undefined;
};

/** Finds who paid: by the payment's own events, then by its subscription, order and customer. */
export function createFindPayer(
  facts: readonly ProviderFact[],
  ofCustomers: readonly ProviderFact[],
) {
  const isPayer = (fact: ProviderFact): fact is PayerFact =>
    (fact.fact === 'payment' || fact.fact === 'link') && fact.visitorId !== undefined;
  const own = facts.filter(isPayer);
  const bySubscription = Map.groupBy(own, ({ subscriptionId }) => subscriptionId);
  const byOrder = Map.groupBy(own, ({ orderId }) => orderId);
  const byCustomer = Map.groupBy(
    [...own, ...ofCustomers.filter(isPayer)],
    ({ customerId }) => customerId,
  );
  const ways = [
    ['subscription', 'subscriptionId', bySubscription],
    ['order', 'orderId', byOrder],
    ['customer', 'customerId', byCustomer],
  ] as const;
  return (group: MoneyGroup, draft: Draft): FoundPayer => {
    if (draft.visitorId !== undefined) return { visitorId: draft.visitorId, foundBy: 'event' };
    const said = [...group.payments, ...group.links];
    for (const [foundBy, name, byKey] of ways) {
      const key = draft[name] ?? leastOf(said.map((fact) => fact[name]));
      const visitorId = key === undefined ? undefined : earliestOf(byKey.get(key) ?? []);
      if (visitorId !== undefined) return { visitorId, foundBy };
    }
    return { foundBy: undefined };
  };
}

/** The visitor that was named first. */
function earliestOf(facts: readonly PayerFact[]): string | undefined {
  const timeOf = (fact: PayerFact) => (fact.fact === 'payment' ? fact.paidAt : 0);
  const [first] = facts.toSorted(
    (a, b) => timeOf(a) - timeOf(b) || compare(a.visitorId ?? '', b.visitorId ?? ''),
  );
  return first?.visitorId;
}
