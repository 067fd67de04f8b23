import type { ProviderFact } from '../facts.ts';
import { type Draft, leastOf, type PayerFact } from './drafts.ts';
import type { Holder } from './fact-ids.ts';
import { compare, type MoneyGroup } from './group-facts.ts';

/** How a payment's visitor was found. */
export type FoundBy = 'event' | 'subscription' | 'order' | 'customer';

type FoundPayer = {
  readonly visitorId?: string | undefined;
  readonly foundBy: FoundBy | undefined;
};

/** The visitor whom a customer or a subscription named first, among all of its facts. */
export type FindFirstPayer = (holder: Holder, id: string) => string | undefined;

/** Finds who paid: by the payment's own events, then by its subscription, order and customer. */
export function createFindPayer(facts: readonly ProviderFact[], findFirstPayer: FindFirstPayer) {
  const isPayer = (fact: ProviderFact): fact is PayerFact =>
    (fact.fact === 'payment' || fact.fact === 'link') && fact.visitorId !== undefined;
  const byOrder = Map.groupBy(facts.filter(isPayer), ({ orderId }) => orderId);
  const ways = [
    ['subscription', 'subscriptionId', (id: string) => findFirstPayer('subscription', id)],
    ['order', 'orderId', (id: string) => earliestOf(byOrder.get(id) ?? [])],
    ['customer', 'customerId', (id: string) => findFirstPayer('customer', id)],
  ] as const;
  return (group: MoneyGroup, draft: Draft): FoundPayer => {
    if (draft.visitorId !== undefined) return { visitorId: draft.visitorId, foundBy: 'event' };
    const said = [...group.payments, ...group.links];
    for (const [foundBy, name, find] of ways) {
      const key = draft[name] ?? leastOf(said.map((fact) => fact[name]));
      const visitorId = key === undefined ? undefined : find(key);
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
