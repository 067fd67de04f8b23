import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { derivePayments } from '#providers/derive/derive-payments.ts';
import { factIdsOf, readPayer, toPayerSeries } from '#providers/derive/fact-ids.ts';
import type { FindFirstPayer } from '#providers/derive/find-payer.ts';
import type { ProviderFact } from '#providers/facts.ts';
import { PROVIDERS } from '#providers/known/providers.ts';
import type { ProviderEvent } from '#providers/provider.ts';
import { ledgerOf, toLine } from './ledger-lines.ts';
import { mergeFacts } from './merge-facts.ts';
import { eventsOf, NOW, SAMPLE_ID, sign, TELLERS, verify } from './tellers.ts';
import { expectedOf } from './world.ts';

it('every provider of the list describes the world', () => {
  const telling = TELLERS.map(({ provider }) => provider.name);
  assert.deepEqual(
    PROVIDERS.map(({ name }) => name).filter((name) => !telling.includes(name)),
    [],
  );
});

for (const teller of TELLERS) {
  const { provider, currency, gaps, secrets } = teller;
  const factsOf = (event: ProviderEvent): readonly ProviderFact[] => {
    const translation = provider.translate(event, secrets.settings);
    if (translation.kind === 'facts') return translation.facts;
    assert.equal(translation.kind, 'ignored', JSON.stringify({ translation, event }));
    return [];
  };

  describe(`${provider.title}’s events`, () => {
    const events = eventsOf(teller);

    it('describe the same world as those of all others, but for what it cannot say', (t) => {
      for (const [, why] of Object.values(gaps)) t.diagnostic(why);
      assert.deepEqual(mergeFacts(events.flatMap(factsOf)), expectedOf(currency, gaps));
    });

    it('describe it in any order, and repeated', () => {
      const facts = events.map(factsOf);
      const places = [...facts.keys(), ...facts.keys()];
      const order = fc.shuffledSubarray(places, { minLength: places.length });
      fc.assert(
        fc.property(order, (shuffled) => {
          const merged = mergeFacts(shuffled.flatMap((place) => facts[place] ?? []));
          assert.deepEqual(merged, expectedOf(currency, gaps));
        }),
        { numRuns: 50 },
      );
    });

    it('come to the same payments in the ledger', () => {
      const facts = events.flatMap(factsOf);
      const ids = facts.flatMap(factIdsOf).toSorted();
      const findFirstPayer: FindFirstPayer = (...holder) => {
        const first = ids.find((id) => id.startsWith(`${toPayerSeries(...holder)} `));
        return first && readPayer(first);
      };
      const derived = derivePayments(facts, { provider: provider.name, findFirstPayer });
      const payments = derived.flatMap((group) => group.payments.map(({ payment }) => payment));
      assert.deepEqual(payments.map(toLine).toSorted(), ledgerOf(expectedOf(currency, gaps)));
    });

    it('have ids of their own, and the same when they are delivered again', () => {
      const ids = events.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(
        eventsOf(teller).map(({ id }) => id),
        ids,
      );
    });

    it('of the types that the connection asks for describe all of it', () => {
      const isAsked = ({ type }: ProviderEvent) =>
        provider.eventTypes.length === 0 || provider.eventTypes.includes(type);
      const asked = events.filter(isAsked);
      assert.deepEqual(mergeFacts(asked.flatMap(factsOf)), expectedOf(currency, gaps));
    });

    it('of a type that nobody knows are unknown', () => {
      const [event] = events;
      assert.ok(event);
      const strange = { ...event, type: 'moon.full' };
      assert.ok(['unknown', 'facts'].includes(provider.translate(strange, secrets.settings).kind));
    });
  });

  describe(`${provider.title}’s connection`, () => {
    it('has a sample that is a payment, and passes its own door', () => {
      const body = provider.makeSample(SAMPLE_ID, NOW, secrets.settings);
      const delivery = sign(teller, body);
      assert.equal(verify(teller, delivery), undefined);
      const event = provider.readEvent(delivery, secrets);
      assert.ok(event);
      assert.ok(event.isTest || event.id.startsWith(SAMPLE_ID), event.id);
      assert.deepEqual(
        factsOf(event).map(({ fact }) => fact),
        ['payment'],
      );
    });

    it('takes three steps, and says where each field is found', () => {
      assert.equal(provider.steps.length, 3);
      assert.notEqual(provider.visitorLine, '');
      const asksToChoose = /events? below/.test(provider.steps[0]?.text ?? '');
      assert.equal(asksToChoose, provider.eventTypes.length > 0, 'events to choose');
      for (const { label, hint } of provider.fields) assert.ok(label && hint.endsWith('.'));
    });
  });
}
