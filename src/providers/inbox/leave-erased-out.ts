import type { ProviderFact } from '../facts.ts';
import type { WaitingEvents } from '../ports.ts';
import type { TranslatedEvent } from './translate-event.ts';

/**
 * Leaves erased visitors out of what events state: those of links, and of payments from before the erasure. A provider may
 * deliver or list old data about them at any time. A visitor who pays after the erasure counts again.
 */
export async function leaveErasedOut(
  waiting: Pick<WaitingEvents, 'findErasedVisitors'>,
  events: readonly TranslatedEvent[],
): Promise<TranslatedEvent[]> {
  const visitors = events.flatMap(({ facts }) => facts.flatMap((fact) => visitorOf(fact) ?? []));
  const erased = await waiting.findErasedVisitors([...new Set(visitors)]);
  if (erased.size === 0) return [...events];
  const isErased = (fact: ProviderFact) => {
    const at = erased.get(visitorOf(fact) ?? '');
    return at !== undefined && (fact.fact !== 'payment' || fact.paidAt <= at);
  };
  return events.map((event) =>
    event.facts.some(isErased)
      ? {
          ...{ ...event, state: 'erased' },
          facts: event.facts.map((fact) => (isErased(fact) ? withoutPayer(fact) : fact)),
        }
      : event,
  );
}

function visitorOf(fact: ProviderFact): string | undefined {
  return fact.fact === 'payment' || fact.fact === 'link' ? fact.visitorId : undefined;
}

function withoutPayer(fact: ProviderFact): ProviderFact {
  const nobody = { visitorId: undefined, customerId: undefined, email: undefined, name: undefined };
  return { ...fact, ...nobody };
}
