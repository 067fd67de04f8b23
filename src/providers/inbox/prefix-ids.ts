import type { ProviderFact } from '../facts.ts';

/** The properties of facts that are ids of their provider. What a gateway calls a shop's money is the gateway's. */
const IDS = ['id', 'of', 'aliases', 'sameMoney', 'subscriptionId', 'orderId', 'customerId'];

/** Facts whose ids begin with the prefix of their connection: two shops may number orders and customers alike. */
export function prefixIds(facts: readonly ProviderFact[], prefix = ''): ProviderFact[] {
  if (prefix === '') return [...facts];
  const add = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(add);
    return typeof value === 'string' ? `${prefix}${value}` : value;
  };
  return facts.map(
    (fact) =>
      Object.fromEntries(
        Object.entries(fact).map(([name, value]) => [
          name,
          IDS.includes(name) ? add(value) : value,
        ]),
      ) as unknown as ProviderFact,
  );
}
