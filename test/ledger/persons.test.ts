import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findJoins } from '#ledger/persons/find-joins.ts';
import { PERSON_VISITORS_MAX } from '#ledger/persons/person-book.ts';
import { createPersonRemaker } from '#ledger/persons/remake-person.ts';
import { resolveAll } from '#ledger/persons/resolve-persons.ts';
import { createSearchPersons } from '#ledger/persons/search-persons.ts';
import type { Database } from '#storage/sql/sql.ts';
import { howMany } from '../worlds/how-many.ts';
import {
  type Fact,
  type Identified,
  type Paid,
  referencePersons,
} from '../worlds/reference-persons.ts';
import { openInMemory } from './open-in-memory.ts';

let db: Database;
beforeEach(async () => {
  db = await openInMemory();
});
afterEach(() => db.close());

const SITE = 'site_1';

const pay = (facts: Paid) =>
  createCommitEntries(db)([
    {
      kind: 'payment',
      siteId: SITE,
      report: {
        amountMinor: 1n,
        currency: 'EUR',
        renewal: false,
        refunded: false,
        receivedAt: 1_000,
        ...facts,
      },
      claim: undefined,
    },
  ]);

async function identify(facts: Identified): Promise<void> {
  const { visitorId, userId = '', email = '', isClaim = false } = facts;
  await db.run(
    `INSERT INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
     VALUES (?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`,
    ...[SITE, visitorId, userId, email, isClaim ? 'claim' : 'key'],
  );
}

async function separate(visitorId: string): Promise<readonly string[]> {
  await resolveAll(db);
  const keys = await createPersonRemaker(db).separate(SITE, visitorId, 0);
  return keys.map(({ kind, key }) => `${kind} ${key}`);
}

/** As the report finds it: the transaction's row, else its visitor; then that visitor's row. */
async function personOf(transactionId: string): Promise<string> {
  const own = await db.get(
    'SELECT visitor_id FROM payments WHERE site_id = ? AND transaction_id = ?',
    ...[SITE, transactionId],
  );
  const visitorId = (await listed('transaction', transactionId)) ?? String(own?.visitor_id ?? '');
  return personOfVisitor(visitorId);
}

async function personOfVisitor(visitorId: string): Promise<string> {
  return (await listed('visitor', visitorId)) ?? visitorId;
}

async function listed(kind: string, key: string): Promise<string | undefined> {
  const row = await db.get(
    'SELECT person_id FROM persons WHERE site_id = ? AND kind = ? AND key = ?',
    ...[SITE, kind, key],
  );
  return row && String(row.person_id);
}

describe('persons', () => {
  it('need no row in the warehouse for a single visitor', async () => {
    await pay({ transactionId: 't', visitorId: 'v', customerId: 'c', email: 'v@shop.example' });
    await resolveAll(db);
    assert.equal(await personOf('t'), 'v');
    assert.equal((await db.get('SELECT count(*) AS n FROM persons'))?.n, 0);
  });

  it('of renewals without a visitor are found through the customer', async () => {
    await pay({ transactionId: 't1', visitorId: 'v', customerId: 'c' });
    await pay({ transactionId: 't2', customerId: 'c' });
    await resolveAll(db);
    assert.equal(await personOf('t2'), 'v');
  });

  it('of a payment are found when an identify comes later', async () => {
    await pay({ transactionId: 't', email: 'anna@shop.example' });
    await resolveAll(db);
    assert.match(await personOf('t'), /^~\d+$/);
    await identify({ visitorId: 'v', userId: '42', email: 'anna@shop.example' });
    await resolveAll(db);
    assert.equal(await personOf('t'), await personOfVisitor('v'));
  });

  it('include all visitors with the same id', async () => {
    const all = ['phone', 'laptop', 'work'];
    for (const visitorId of all) await identify({ visitorId, userId: '42' });
    await resolveAll(db);
    const names = await Promise.all(all.map(personOfVisitor));
    assert.deepEqual(names, ['phone', 'phone', 'phone']);
  });

  it('are split when another report replaces the id that joined them', async () => {
    await pay({ transactionId: 't1', visitorId: 'v1', customerId: 'c2' });
    await pay({ transactionId: 't2', visitorId: 'v2', customerId: 'c2' });
    await resolveAll(db);
    assert.equal(await personOfVisitor('v2'), 'v1');
    await pay({ transactionId: 't1', visitorId: 'v1', customerId: 'c1' });
    await resolveAll(db);
    assert.deepEqual(await Promise.all(['v1', 'v2'].map(personOfVisitor)), ['v1', 'v2']);
  });

  it('are found by subscription before customer, in any order of arrival', async () => {
    await pay({ transactionId: 't1', subscriptionId: 's', customerId: 'new' });
    await pay({ transactionId: 't2', visitorId: 'w', customerId: 'new' });
    await resolveAll(db);
    assert.equal(await personOf('t1'), await personOfVisitor('w'));
    await pay({ transactionId: 't0', subscriptionId: 's', visitorId: 'v', paidAt: 1 });
    await resolveAll(db);
    assert.equal(await personOf('t1'), 'v');
  });

  it('are not joined by placeholder ids', async () => {
    for (const visitorId of ['a', 'b']) {
      await identify({ visitorId, userId: 'guest', email: 'none' });
      await pay({
        transactionId: visitorId,
        visitorId,
        customerId: 'null',
        email: 'test@test.com',
      });
    }
    await resolveAll(db);
    assert.deepEqual(await Promise.all(['a', 'b'].map(personOf)), ['a', 'b']);
  });

  it('are not joined beyond the limit of visitors, and refused joins are counted', async () => {
    for (let index = 0; index <= PERSON_VISITORS_MAX; index++) {
      await identify({ visitorId: `v${index}`, userId: 'everybody' });
    }
    await resolveAll(db);
    assert.equal(await personOfVisitor(`v${PERSON_VISITORS_MAX - 1}`), 'v0');
    assert.equal(await personOfVisitor(`v${PERSON_VISITORS_MAX}`), `v${PERSON_VISITORS_MAX}`);
    const refused = await db.get("SELECT value FROM counters WHERE name = 'refused_joins'");
    assert.equal(refused?.value, 1);
  });

  it('are not joined by claims of a browser, and claims do not count towards the limit', async () => {
    for (let index = 0; index < PERSON_VISITORS_MAX; index++) {
      await identify({ visitorId: `fake${index}`, userId: '42', isClaim: true });
    }
    for (const visitorId of ['phone', 'laptop']) await identify({ visitorId, userId: '42' });
    await resolveAll(db);
    assert.equal(await personOfVisitor('laptop'), 'phone');
    assert.equal(await personOfVisitor('fake1'), 'fake1');
    assert.equal((await db.get('SELECT count(*) AS n FROM persons'))?.n, 1);
  });

  it('are not joined by a placeholder visitor id', async () => {
    for (const customerId of ['c1', 'c2']) {
      await pay({ transactionId: customerId, visitorId: 'undefined', customerId });
    }
    await resolveAll(db);
    assert.notEqual(
      await listed('transaction', 'c1'),
      (await listed('transaction', 'c2')) ?? 'none',
    );
    assert.equal(await listed('visitor', 'undefined'), undefined);
    assert.deepEqual(await findJoins(db, SITE, ['undefined']), [], 'nor is a reason given');
  });

  it('split when a join is undone, and stay split', async () => {
    for (const visitorId of ['a', 'b', 'c']) await identify({ visitorId, userId: '42' });
    await pay({ transactionId: 't', visitorId: 'b', customerId: 'cus' });
    await pay({ transactionId: 'renewal', customerId: 'cus' });
    await resolveAll(db);
    assert.deepEqual(await Promise.all(['b', 'c'].map(personOfVisitor)), ['a', 'a']);
    assert.equal(await personOf('renewal'), 'a');
    assert.deepEqual(await separate('b'), ['user 42', 'customer cus']);
    assert.deepEqual(await Promise.all(['b', 'c'].map(personOfVisitor)), ['b', 'a']);
    assert.equal(await personOf('t'), 'b');
    assert.match(await personOf('renewal'), /^~/);
    await identify({ visitorId: 'b', userId: '42', email: '' });
    await identify({ visitorId: 'd', userId: '42' });
    await resolveAll(db);
    assert.deepEqual(await Promise.all(['b', 'd'].map(personOfVisitor)), ['b', 'a']);
    await identify({ visitorId: 'b', userId: '43' });
    await identify({ visitorId: 'e', userId: '43' });
    await resolveAll(db);
    assert.equal(await personOfVisitor('e'), await personOfVisitor('b'));
  });

  /** Makes persons, and returns what finds them. */
  async function searchAmong(count: number) {
    for (let number = 0; number < count; number += 1) {
      const id = `v${number}`;
      await pay({ transactionId: id, visitorId: id, email: `${id}@shop.example` });
    }
    await pay({ transactionId: 't', visitorId: 'v', name: 'Anna Meier' });
    await resolveAll(db);
    const search = createSearchPersons(db);
    return (text: string, isPersonal = true) => search({ siteId: SITE, text, isPersonal });
  }

  it('are found by a part of an address or name', async () => {
    const find = await searchAmong(3);
    assert.deepEqual((await find('SHOP.example')).toSorted(), ['v0', 'v1', 'v2']);
    assert.deepEqual(await find('meier'), ['v']);
    assert.deepEqual(await find('@shop.example', false), []);
  });

  it('are found by the thousands', async () => {
    const find = await searchAmong(2_500);
    assert.equal((await find('SHOP.example')).length, 2_500);
  });

  it('of two sites have nothing in common', async () => {
    await pay({ transactionId: 't', visitorId: 'v', customerId: 'c' });
    await db.exec(`INSERT INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
      VALUES ('site_2', 'v', 'c', '', 'key', 0, 0), ('site_2', 'w', 'c', '', 'key', 0, 0)`);
    await resolveAll(db);
    assert.equal(await personOf('t'), 'v');
    assert.equal(await listed('visitor', 'w'), undefined);
  });
});

const maybe = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const anyFact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({
    of: fc.constant('payment' as const),
    transactionId: fc.stringMatching(/^t[0-9a-f]{6}$/),
    visitorId: maybe('v1', 'v2', 'v3', 'v4', 'v5'),
    customerId: maybe('c1', 'c2', 'c3', 'null'),
    email: maybe('a@b.example', 'c@d.example'),
    subscriptionId: maybe('s1', 's2', 's3'),
    paidAt: fc.integer({ min: 1, max: 20 }),
  }) as fc.Arbitrary<Fact>,
  fc.record({
    of: fc.constant('identity' as const),
    visitorId: fc.constantFrom('v1', 'v2', 'v3', 'v4', 'v5', 'v6'),
    userId: fc.constantFrom('u1', 'u2', 'guest'),
    email: fc.constantFrom('', 'a@b.example', 'e@f.example'),
    isClaim: fc.boolean(),
  }),
  fc.record({
    of: fc.constant('separation' as const),
    visitorId: fc.constantFrom('v1', 'v2', 'v3'),
  }),
  fc.constant({ of: 'resolving' as const }),
);

describe('persons and the slow reference', () => {
  it('agree on every payment and visitor, whenever facts are resolved', async () => {
    const facts = fc.uniqueArray(anyFact, {
      maxLength: 25,
      selector: (fact) => (fact.of === 'payment' ? fact.transactionId : fact),
    });
    await fc.assert(
      fc.asyncProperty(facts, async (drawn) => {
        await db.close();
        db = await openInMemory();
        for (const fact of drawn) await take(fact);
        await resolveAll(db);
        await assertAgree(drawn);
      }),
      { numRuns: howMany(300) },
    );
  });

  it('agree when reports of a payment differ, whenever facts are resolved', async () => {
    const transactionId = fc.constantFrom('t1', 't2', 't3', 't4');
    const report = fc
      .tuple(anyFact, transactionId)
      .map(([fact, id]) => (fact.of === 'payment' ? { ...fact, transactionId: id } : fact))
      .filter(({ of }) => of !== 'separation');
    await fc.assert(
      fc.asyncProperty(fc.array(report, { maxLength: 25 }), async (drawn) => {
        await db.close();
        db = await openInMemory();
        for (const fact of drawn) await take(fact);
        await resolveAll(db);
        await assertAgree(merged(drawn));
      }),
      { numRuns: howMany(300) },
    );
  });
});

/** The facts with one payment for each transaction, of the smallest values that were reported. */
function merged(facts: readonly Fact[]): Fact[] {
  const payments = new Map<string, Record<string, unknown>>();
  for (const fact of facts) {
    if (fact.of !== 'payment') continue;
    const known = payments.get(fact.transactionId) ?? {};
    const smaller = Object.entries(fact).filter(([name, value]) => {
      const before = known[name];
      return value !== undefined && (before === undefined || value < (before as typeof value));
    });
    payments.set(fact.transactionId, { ...known, ...Object.fromEntries(smaller) });
  }
  return [...facts.filter(({ of }) => of !== 'payment'), ...(payments.values() as Iterable<Fact>)];
}

async function take(fact: Fact): Promise<void> {
  if (fact.of === 'payment') await pay(withoutUndefined(fact));
  if (fact.of === 'identity') await identify(fact);
  if (fact.of === 'separation') await separate(fact.visitorId);
  if (fact.of === 'resolving') await resolveAll(db);
}

function withoutUndefined({ of, ...facts }: Extract<Fact, { of: 'payment' }>): Paid {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Paid;
}

/** Two are the same person exactly when the reference says so. */
async function assertAgree(facts: readonly Fact[]): Promise<void> {
  const reference = referencePersons(facts);
  const found = new Map<string, string>();
  for (const name of reference.keys()) {
    const [kind, key] = name.split(' ') as [string, string];
    found.set(name, await (kind === 'visitor' ? personOfVisitor(key) : personOf(key)));
  }
  for (const [a, personA] of reference) {
    assert.equal(found.get(a) === '', personA === undefined, a);
    for (const [b, personB] of reference) {
      if (personA === undefined || personB === undefined) continue;
      assert.equal(found.get(a) === found.get(b), personA === personB, `${a} and ${b}`);
    }
  }
}
