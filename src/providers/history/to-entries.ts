import { hash } from 'node:crypto';
import type { HistoryEntry, HistoryPage } from '#domain/money/walk.ts';
import { moneyOf } from '../derive/fact-ids.ts';
import type { LinkFact, ProviderFact, Translation } from '../facts.ts';
import { toEntryName } from '../inbox/entry-name.ts';
import { prefixIds } from '../inbox/prefix-ids.ts';
import { findOddFact, toKeptFacts, writeFacts } from '../inbox/read-facts.ts';

/**
 * What a page's translations are in the inbox: an event for each, whose id is that of what it states. So an entry that is
 * read again replaces itself, and one that has not changed is not taken again.
 */
export function toEntries(
  list: string,
  translations: readonly Translation[],
  prefix: string | undefined,
): HistoryPage {
  const entries = new Map<string, HistoryEntry>();
  let fault: string | undefined;
  for (const translation of translations) {
    const found = translation.kind === 'facts' ? findOddFact(translation.facts) : translation;
    if (found?.kind === 'failed') fault = `An entry of ${list}: ${found.why}`;
    if (found?.kind === 'fetch') fault = `An entry of ${list}: ${found.without}`;
    if (found !== undefined || translation.kind !== 'facts') continue;
    const facts = prefixIds(toKeptFacts(translation.facts), prefix);
    const [first] = facts;
    if (first === undefined) continue;
    const moneyIds = [...new Set(facts.flatMap(moneyOf))];
    const name = toEntryName(list, nameOf(first));
    entries.set(name.eventId, { ...name, facts: writeFacts(facts), moneyIds });
  }
  return { entries: [...entries.values()], fault };
}

/** The time of the last entry that has one. */
export function findReached(translations: readonly Translation[]): number | undefined {
  const facts = translations.flatMap((each) => (each.kind === 'facts' ? each.facts : []));
  return facts.map(timeOf).findLast((at) => at !== undefined);
}

function nameOf(fact: ProviderFact): string {
  return fact.fact === 'link' ? `link ${digestOf(fact)}` : `${fact.fact} ${fact.id}`;
}

function digestOf({ sameMoney, subscriptionId, orderId, customerId }: LinkFact): string {
  return hash('sha256', JSON.stringify([sameMoney, subscriptionId, orderId, customerId]));
}

function timeOf(fact: ProviderFact): number | undefined {
  if (fact.fact === 'payment') return fact.paidAt;
  return fact.fact === 'link' ? undefined : fact.at;
}
