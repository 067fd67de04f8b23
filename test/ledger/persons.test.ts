import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createCommitEntries } from '#ledger/commit-entries.ts';
import { findJoins } from '#ledger/persons/find-joins.ts';
import { PERSON_VISITORS_MAX } from '#ledger/persons/person-book.ts';
import { createPersonRemaker } from '#ledger/persons/remake-person.ts';
import { createPersonResolver } from '#ledger/persons/resolve-persons.ts';
import { createSearchPersons } from '#ledger/persons/search-persons.ts';
import { LEDGER_SCHEMA } from '#ledger/schema.ts';
import {
  type Fact,
  type Identified,
  type Paid,
  referencePersons,
} from '../worlds/reference-persons.ts';

let db: DatabaseSync;
beforeEach(() => {
  db = openInMemory();
});
afterEach(() => db.close());

const SITE = 'site_1';

function openInMemory(): DatabaseSync {
  const opened = new DatabaseSync(':memory:');
  opened.exec(LEDGER_SCHEMA);
  return opened;
}

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

function identify({ visitorId, userId = '', email = '', isClaim = false }: Identified): void {
  db.prepare(`
    INSERT OR IGNORE INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
    VALUES (?, ?, ?, ?, ?, 0, 0)`).run(SITE, visitorId, userId, email, isClaim ? 'claim' : 'key');
}

function separate(visitorId: string): readonly string[] {
  resolveAll();
  const keys = createPersonRemaker(db).separate(SITE, visitorId, 0);
  return keys.map(({ kind, key }) => `${kind} ${key}`);
}

function resolveAll(): void {
  const resolver = createPersonResolver(db);
  while (resolver.resolveSome());
}

/** As the report finds it: the transaction's row, else its visitor; then that visitor's row. */
function personOf(transactionId: string): string {
  const own = db
    .prepare('SELECT visitor_id FROM payments WHERE site_id = ? AND transaction_id = ?')
    .get(SITE, transactionId)?.visitor_id;
  return personOfVisitor(listed('transaction', transactionId) ?? String(own ?? ''));
}

function personOfVisitor(visitorId: string): string {
  return listed('visitor', visitorId) ?? visitorId;
}

function listed(kind: string, key: string): string | undefined {
  const row = db
    .prepare('SELECT person_id FROM persons WHERE site_id = ? AND kind = ? AND key = ?')
    .get(SITE, kind, key);
  return row && String(row.person_id);
}

describe('persons', () => {
  it('need no row in the warehouse for a single visitor', () => {
    pay({ transactionId: 't', visitorId: 'v', customerId: 'c', email: 'v@shop.example' });
    resolveAll();
    assert.equal(personOf('t'), 'v');
    assert.equal(db.prepare('SELECT count(*) AS n FROM persons').get()?.n, 0);
  });

  it('of renewals without a visitor are found through the customer', () => {
    pay({ transactionId: 't1', visitorId: 'v', customerId: 'c' });
    pay({ transactionId: 't2', customerId: 'c' });
    resolveAll();
    assert.equal(personOf('t2'), 'v');
  });

  it('of a payment are found when an identify comes later', () => {
    pay({ transactionId: 't', email: 'anna@shop.example' });
    resolveAll();
    assert.match(personOf('t'), /^~\d+$/);
    identify({ visitorId: 'v', userId: '42', email: 'anna@shop.example' });
    resolveAll();
    assert.equal(personOf('t'), personOfVisitor('v'));
  });

  it('include all visitors with the same id', () => {
    for (const visitorId of ['phone', 'laptop', 'work']) identify({ visitorId, userId: '42' });
    resolveAll();
    const names = ['phone', 'laptop', 'work'].map(personOfVisitor);
    assert.deepEqual(names, ['phone', 'phone', 'phone']);
  });

  it('are split when another report replaces the id that joined them', () => {
    pay({ transactionId: 't1', visitorId: 'v1', customerId: 'c2' });
    pay({ transactionId: 't2', visitorId: 'v2', customerId: 'c2' });
    resolveAll();
    assert.equal(personOfVisitor('v2'), 'v1');
    pay({ transactionId: 't1', visitorId: 'v1', customerId: 'c1' });
    resolveAll();
    assert.deepEqual([personOfVisitor('v1'), personOfVisitor('v2')], ['v1', 'v2']);
  });

  it('are found by subscription before customer, in any order of arrival', () => {
    pay({ transactionId: 't1', subscriptionId: 's', customerId: 'new' });
    pay({ transactionId: 't2', visitorId: 'w', customerId: 'new' });
    resolveAll();
    assert.equal(personOf('t1'), personOfVisitor('w'));
    pay({ transactionId: 't0', subscriptionId: 's', visitorId: 'v', paidAt: 1 });
    resolveAll();
    assert.equal(personOf('t1'), 'v');
  });

  it('are not joined by placeholder ids', () => {
    for (const visitorId of ['a', 'b']) {
      identify({ visitorId, userId: 'guest', email: 'none' });
      pay({ transactionId: visitorId, visitorId, customerId: 'null', email: 'test@test.com' });
    }
    resolveAll();
    assert.deepEqual(['a', 'b'].map(personOf), ['a', 'b']);
  });

  it('are not joined beyond the limit of visitors, and refused joins are counted', () => {
    for (let index = 0; index <= PERSON_VISITORS_MAX; index++) {
      identify({ visitorId: `v${index}`, userId: 'everybody' });
    }
    resolveAll();
    assert.equal(personOfVisitor(`v${PERSON_VISITORS_MAX - 1}`), 'v0');
    assert.equal(personOfVisitor(`v${PERSON_VISITORS_MAX}`), `v${PERSON_VISITORS_MAX}`);
    const refused = db.prepare("SELECT value FROM counters WHERE name = 'refused_joins'").get();
    assert.equal(refused?.value, 1);
  });

  it('are not joined by claims of a browser, and claims do not count towards the limit', () => {
    for (let index = 0; index < PERSON_VISITORS_MAX; index++) {
      identify({ visitorId: `fake${index}`, userId: '42', isClaim: true });
    }
    for (const visitorId of ['phone', 'laptop']) identify({ visitorId, userId: '42' });
    resolveAll();
    assert.equal(personOfVisitor('laptop'), 'phone');
    assert.equal(personOfVisitor('fake1'), 'fake1');
    assert.equal(db.prepare('SELECT count(*) AS n FROM persons').get()?.n, 1);
  });

  it('are not joined by a placeholder visitor id', () => {
    for (const customerId of ['c1', 'c2']) {
      pay({ transactionId: customerId, visitorId: 'undefined', customerId });
    }
    resolveAll();
    assert.notEqual(listed('transaction', 'c1'), listed('transaction', 'c2') ?? 'none');
    assert.equal(listed('visitor', 'undefined'), undefined);
    assert.deepEqual(findJoins(db, SITE, ['undefined']), [], 'nor is a reason given');
  });

  it('split when a join is undone, and stay split', () => {
    for (const visitorId of ['a', 'b', 'c']) identify({ visitorId, userId: '42' });
    pay({ transactionId: 't', visitorId: 'b', customerId: 'cus' });
    pay({ transactionId: 'renewal', customerId: 'cus' });
    resolveAll();
    assert.deepEqual(['b', 'c'].map(personOfVisitor), ['a', 'a']);
    assert.equal(personOf('renewal'), 'a');
    assert.deepEqual(separate('b'), ['user 42', 'customer cus']);
    assert.deepEqual(['b', 'c'].map(personOfVisitor), ['b', 'a']);
    assert.equal(personOf('t'), 'b');
    assert.match(personOf('renewal'), /^~/);
    identify({ visitorId: 'b', userId: '42', email: '' });
    identify({ visitorId: 'd', userId: '42' });
    resolveAll();
    assert.deepEqual(['b', 'd'].map(personOfVisitor), ['b', 'a']);
    identify({ visitorId: 'b', userId: '43' });
    identify({ visitorId: 'e', userId: '43' });
    resolveAll();
    assert.equal(personOfVisitor('e'), personOfVisitor('b'));
  });

  it('are found by a part of an address or name, however many there are', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) => `v${number}`);
    for (const id of many) pay({ transactionId: id, visitorId: id, email: `${id}@shop.example` });
    pay({ transactionId: 't', visitorId: 'v', name: 'Anna Meier' });
    resolveAll();
    const search = createSearchPersons(db);
    const find = (text: string, isPersonal = true) => search({ siteId: SITE, text, isPersonal });
    assert.equal((await find('SHOP.example')).length, many.length);
    assert.deepEqual(await find('meier'), ['v']);
    assert.deepEqual(await find('@shop.example', false), []);
  });

  it('of two sites have nothing in common', () => {
    pay({ transactionId: 't', visitorId: 'v', customerId: 'c' });
    db.exec(`INSERT INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
      VALUES ('site_2', 'v', 'c', '', 'key', 0, 0), ('site_2', 'w', 'c', '', 'key', 0, 0)`);
    resolveAll();
    assert.equal(personOf('t'), 'v');
    assert.equal(listed('visitor', 'w'), undefined);
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
  it('agree on every payment and visitor, whenever facts are resolved', () => {
    const facts = fc.uniqueArray(anyFact, {
      maxLength: 25,
      selector: (fact) => (fact.of === 'payment' ? fact.transactionId : fact),
    });
    fc.assert(
      fc.property(facts, (drawn) => {
        db.close();
        db = openInMemory();
        drawn.forEach(take);
        resolveAll();
        assertAgree(drawn);
      }),
      { numRuns: 300 },
    );
  });

  it('agree when reports of a payment differ, whenever facts are resolved', () => {
    const transactionId = fc.constantFrom('t1', 't2', 't3', 't4');
    const report = fc
      .tuple(anyFact, transactionId)
      .map(([fact, id]) => (fact.of === 'payment' ? { ...fact, transactionId: id } : fact))
      .filter(({ of }) => of !== 'separation');
    fc.assert(
      fc.property(fc.array(report, { maxLength: 25 }), (drawn) => {
        db.close();
        db = openInMemory();
        drawn.forEach(take);
        resolveAll();
        assertAgree(merged(drawn));
      }),
      { numRuns: 300 },
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

function take(fact: Fact): void {
  if (fact.of === 'payment') pay(withoutUndefined(fact));
  if (fact.of === 'identity') identify(fact);
  if (fact.of === 'separation') separate(fact.visitorId);
  if (fact.of === 'resolving') resolveAll();
}

function withoutUndefined({ of, ...facts }: Extract<Fact, { of: 'payment' }>): Paid {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Paid;
}

/** Two are the same person exactly when the reference says so. */
function assertAgree(facts: readonly Fact[]): void {
  const reference = referencePersons(facts);
  const found = new Map<string, string>();
  for (const name of reference.keys()) {
    const [kind, key] = name.split(' ') as [string, string];
    found.set(name, kind === 'visitor' ? personOfVisitor(key) : personOf(key));
  }
  for (const [a, personA] of reference) {
    assert.equal(found.get(a) === '', personA === undefined, a);
    for (const [b, personB] of reference) {
      if (personA === undefined || personB === undefined) continue;
      assert.equal(found.get(a) === found.get(b), personA === personB, `${a} and ${b}`);
    }
  }
}
