import type { ProviderFact } from '../facts.ts';
import { leastOf } from './drafts.ts';
import type { MoneyGroup } from './group-facts.ts';

/** Finds the site that was paid: by what a payment's own events name, then by its subscription. */
export function createFindSite(facts: readonly ProviderFact[]) {
  const named = facts.flatMap((fact) =>
    (fact.fact === 'payment' || fact.fact === 'link') && fact.site !== undefined ? [fact] : [],
  );
  const bySubscription = Map.groupBy(named, ({ subscriptionId }) => subscriptionId);
  return ({ payments, links }: MoneyGroup, subscriptionId: string | undefined) => {
    const others = subscriptionId === undefined ? [] : (bySubscription.get(subscriptionId) ?? []);
    const own = leastOf([...payments, ...links].map(({ site }) => site));
    return own ?? leastOf(others.map(({ site }) => site));
  };
}
