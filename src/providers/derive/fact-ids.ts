import type { PaymentFact, ProviderFact } from '../facts.ts';

/**
 * The ids by which a fact belongs together with others. Those of `customer`, `payer` and `visitor` lead no further: a
 * customer may have many payments, which need not be looked at together.
 */
export function factIdsOf(fact: ProviderFact): string[] {
  switch (fact.fact) {
    case 'payment':
      return [...moneyOf(fact).map(toMoneyId), ...twinIdOf(fact), ...otherIdsOf(fact)];
    case 'link':
      return [...moneyOf(fact).map(toMoneyId), ...otherIdsOf(fact)];
    case 'refund':
    case 'dispute':
      return [toMoneyId(fact.of)];
  }
}

/** Whether all events with an id have to be looked at together. */
export function leadsOn(id: string): boolean {
  return !/^(customer|payer|through|visitor) /.test(id);
}

/** Where to look for what changes with facts of these ids. A customer's other payments do, if a visitor is named. */
export function toSeeds(ids: readonly string[]): string[] {
  const seeds = ids.flatMap((id) => {
    if (leadsOn(id)) return [id];
    return id.startsWith('payer ') ? [`customer ${id.slice('payer '.length)}`] : [];
  });
  return [...new Set(seeds)];
}

/** The ids of the money that a fact is about. They are all the same money. */
export function moneyOf(fact: ProviderFact): readonly string[] {
  if (fact.fact === 'refund' || fact.fact === 'dispute') return [fact.of];
  const through = fact.through === undefined ? [] : [fact.through];
  if (fact.fact === 'link') return [...(fact.sameMoney ?? []), ...through];
  return [fact.id, ...(fact.aliases ?? []), ...through];
}

/** The id under which a shop's facts are found by what their gateway calls the money. */
export function toThroughId(id: string): string {
  return `through ${id}`;
}

/** The id under which a customer’s facts with a visitor are found. */
export function toPayerId(customerId: string): string {
  return `payer ${customerId}`;
}

/** Under which a bill and the money that paid it look for each other. */
export function twinKeyOf({ twin, customerId, amount }: PaymentFact): string | undefined {
  if (twin === undefined || customerId === undefined) return undefined;
  return `${customerId} ${amount.minor} ${amount.currency}`;
}

function toMoneyId(id: string): string {
  return `money ${id}`;
}

function twinIdOf(fact: PaymentFact): string[] {
  const key = twinKeyOf(fact);
  return key === undefined ? [] : [`twin ${key}`];
}

function otherIdsOf(fact: Extract<ProviderFact, { fact: 'payment' | 'link' }>): string[] {
  const { subscriptionId, orderId, customerId, visitorId, through } = fact;
  const ids = [];
  if (subscriptionId !== undefined) ids.push(`subscription ${subscriptionId}`);
  if (orderId !== undefined) ids.push(`order ${orderId}`);
  if (customerId !== undefined) ids.push(`customer ${customerId}`);
  if (visitorId !== undefined) ids.push(`visitor ${visitorId}`);
  if (customerId !== undefined && visitorId !== undefined) ids.push(toPayerId(customerId));
  if (through !== undefined) ids.push(toThroughId(through));
  return ids;
}
