import type { EventState, InboxEvent, NotedState } from '#domain/money/provider-event.ts';
import type { ProviderFact, Translation } from '../facts.ts';
import { findProvider } from '../known/providers.ts';
import { isEntry } from './entry-name.ts';
import { prefixIds } from './prefix-ids.ts';
import { findOddFact, readFacts, toKeptFacts } from './read-facts.ts';

/** What an event states, and what becomes of it. */
export type TranslatedEvent = {
  readonly eventId: string;
  readonly state: EventState;
  readonly error: string | undefined;
  readonly facts: readonly ProviderFact[];
  readonly wanted?: NotedState['wanted'];
};

/** Translates an event. One that its provider's code cannot read fails, and stops nothing. */
export function translateEvent(
  provider: string,
  settings: Readonly<Record<string, string>>,
  { eventId, type, headers, body, receivedAt }: InboxEvent,
): TranslatedEvent {
  if (isEntry({ eventId, type })) {
    return { eventId, state: 'done', error: undefined, facts: readFacts(body) };
  }
  const delivery = { headers, body: Buffer.from(body), receivedAt };
  const translation = translate(provider, settings, delivery);
  const odd = translation.kind === 'facts' ? findOddFact(translation.facts) : undefined;
  return { eventId, ...toState(odd ?? translation, settings.id_prefix) };
}

function translate(
  name: string,
  settings: Readonly<Record<string, string>>,
  delivery: { headers: InboxEvent['headers']; body: Buffer; receivedAt: number },
): Translation {
  const provider = findProvider(name);
  try {
    const event = provider?.readEvent(delivery, { signingSecrets: [], settings });
    if (provider === undefined || event === undefined) return { kind: 'unknown' };
    return provider.translate(event, settings);
  } catch (error) {
    return { kind: 'failed', why: `It cannot be read: ${error}` };
  }
}

function toState(
  translation: Translation,
  prefix: string | undefined,
): Omit<TranslatedEvent, 'eventId'> {
  switch (translation.kind) {
    case 'facts':
      return {
        ...{ state: 'done', error: undefined },
        facts: prefixIds(toKeptFacts(translation.facts), prefix),
      };
    case 'ignored':
      return { state: 'ignored', error: translation.why, facts: [] };
    case 'unknown':
      return { state: 'unknown', error: undefined, facts: [] };
    case 'failed':
      return { state: 'failed', error: translation.why, facts: [] };
    case 'fetch': {
      const { list, path, without } = translation;
      return { state: 'failed', error: without, facts: [], wanted: { list, path } };
    }
  }
}
