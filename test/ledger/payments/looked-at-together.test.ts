import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '#domain/time/durations.ts';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { createTakeWaiting } from '#ledger/take-waiting.ts';
import { derivePayments } from '#providers/derive/derive-payments.ts';
import { factIdsOf, readPayer, toPayerSeries } from '#providers/derive/fact-ids.ts';
import type { ProviderFact } from '#providers/facts.ts';
import { toEntryName } from '#providers/inbox/entry-name.ts';
import { readFacts, writeFacts } from '#providers/inbox/read-facts.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import type { WaitingEvents } from '#providers/ports.ts';
import type { Database } from '#storage/sql/sql.ts';
import { CONNECTION, connectAnew, takeAll } from '../../providers/inbox-of-test.ts';
import { openInMemory } from '../open-in-memory.ts';

let db: Database;
before(async () => {
  db = await openInMemory();
});
after(() => db.close());
beforeEach(() => connectAnew(db, 'stripe'));

/** Delivers facts as events of their own. */
async function deliver(all: readonly (readonly [id: string, ProviderFact])[]): Promise<void> {
  await createCommitEntries(db)(
    all.map(([id, fact]) => ({
      kind: 'provider_event' as const,
      event: {
        ...{ connectionId: CONNECTION, ...toEntryName('facts', id), isTest: false, headers: {} },
        ...{ receivedAt: 0, body: writeFacts([fact]) },
      },
    })),
  );
}

function payment(id: string, paidAt: number, more: object = {}): ProviderFact {
  const amount = { minor: 900n, currency: 'EUR' };
  return { fact: 'payment', id, amount, paidAt, recurring: false, ...more } as ProviderFact;
}

describe('an event', () => {
  /** How many events are looked at for one more. */
  async function countLookedAt(fact: ProviderFact): Promise<number> {
    await deliver([['one more', fact]]);
    let count = 0;
    const takeWaiting = createTakeWaiting(db, Date.now);
    await takeWaiting(10, async (waiting) => {
      const findTogether: WaitingEvents['findTogether'] = async (...asked) => {
        const found = await waiting.findTogether(...asked);
        count += found.size;
        return found;
      };
      const counted: WaitingEvents = { ...waiting, findTogether };
      await takeEvents(async (_, work) => {
        await work(counted);
        return 1;
      });
    });
    return count;
  }

  for (const [whose, more] of [
    ['a customer', { customerId: 'c', visitorId: 'anna' }],
    ['a customer without visitor, always of the same amount', { customerId: 'c', twin: 'money' }],
    ['a subscription', { customerId: 'c', subscriptionId: 's', recurring: 'unless_first' }],
  ] as const) {
    it(`of ${whose} with thousands of payments looks at few of them`, async () => {
      const facts = Array.from({ length: 3_000 }, (_, index) =>
        payment(`p${index}`, index * MINUTE_MS, more),
      );
      await deliver(facts.map((fact, index) => [`${index}`, fact]));
      await takeAll(db);
      const looked = await countLookedAt(payment('next', 3_000 * MINUTE_MS, more));
      assert.ok(looked >= 1 && looked <= 12, `${looked}`);
    });
  }
});

describe('payments that are taken one by one', () => {
  const paidAt = fc.integer({ min: 1, max: 40 }).map((part) => part * (DAY_MS / 16));
  const pick = (...names: readonly (string | undefined)[]) => fc.constantFrom(...names);
  const payer = {
    customerId: pick(undefined, 'c1', 'c2'),
    subscriptionId: pick(undefined, undefined, 's1', 's2'),
    visitorId: pick(undefined, undefined, undefined, 'anna', 'ben'),
    orderId: pick(undefined, undefined, 'o1'),
  };
  const id = fc.integer({ min: 1, max: 12 }).map((number) => `m${number}`);
  const stated = fc.record({
    ...{ fact: fc.constant('payment'), id, paidAt, ...payer },
    recurring: fc.constantFrom(true, false, 'unless_first'),
    amount: fc.constantFrom(0n, 900n).map((minor) => ({ minor, currency: 'EUR' })),
    twin: fc.constantFrom(undefined, 'bill', 'money'),
    aliases: fc.array(
      fc.integer({ min: 1, max: 3 }).map((number) => `a${number}`),
      { maxLength: 1 },
    ),
  });
  const link = fc.record({
    ...{ fact: fc.constant('link'), ...payer },
    sameMoney: fc.array(id, { maxLength: 2 }),
  });
  const fact = fc.oneof({ arbitrary: stated, weight: 4 }, { arbitrary: link, weight: 1 });

  /** As facts are read from where they are kept: without what is undefined. */
  const toKept = (given: unknown) =>
    readFacts(writeFacts([given as ProviderFact]))[0] as ProviderFact;

  /** What all facts at once come to. */
  function expected(facts: readonly ProviderFact[]): string[] {
    const ids = facts.flatMap(factIdsOf).toSorted();
    const derived = derivePayments(facts, {
      provider: 'stripe',
      findFirstPayer(...holder) {
        const first = ids.find((each) => each.startsWith(`${toPayerSeries(...holder)} `));
        return first && readPayer(first);
      },
    });
    const payments = derived.flatMap((group) => group.payments);
    return payments.map(({ payment: own }) => toLine(own)).toSorted();
  }

  const toLine = (own: object) =>
    JSON.stringify(own, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

  it('are what all facts at once come to', async () => {
    const world = fc.array(fact, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(world, fc.infiniteStream(fc.nat()), async (given, chance) => {
        const facts = given.map(toKept);
        await connectAnew(db, 'stripe');
        for (const [index, each] of facts.entries()) {
          await deliver([[`${index}`, each]]);
          if ((chance.next().value ?? 0) % 3 > 0) await takeAll(db);
        }
        await takeAll(db, 1);
        const rows = await db.all('SELECT stated FROM provided_payments');
        const lines = rows.map(({ stated: text }) => toLine(JSON.parse(String(text))));
        assert.deepEqual(lines.toSorted(), expected(facts));
      }),
      { numRuns: 100 },
    );
  });
});
