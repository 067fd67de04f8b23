import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { createPaymentChanges } from '#ledger/change-payment.ts';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { findJoins } from '#ledger/persons/find-joins.ts';
import { resolveAll } from '#ledger/persons/resolve-persons.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openInMemory } from '../open-in-memory.ts';

const SITE = 'site_1';
const CHANGE = { by: 'key_1', at: 5_000 };

let db: Database;
beforeEach(async () => {
  db = await openInMemory();
});
afterEach(() => db.close());

async function pay(transactionId: string, facts: Partial<PaymentReport> = {}) {
  const defaults = { amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false };
  const report = { ...defaults, receivedAt: 1_000, ...facts, transactionId };
  const [outcome] = await createCommitEntries(db)([
    { kind: 'payment', siteId: SITE, report, claim: undefined },
  ]);
  await resolveAll(db);
  return outcome?.kind;
}

/** The payment that a refund was matched to. */
async function matchOf(refundId: string): Promise<string | undefined> {
  const payment = await createPaymentList(db).findPayment(SITE, refundId);
  const refund = payment?.refunds.find((each) => each.transactionId === refundId);
  return refund?.isMatched ? payment?.transactionId : undefined;
}

/** The rows that the warehouse holds, newest versions only. */
async function shipped(): Promise<string[]> {
  const rows = new Map<string, string>();
  for (const payment of await findPayments(db, { after: 0, upTo: LAST_VERSION }, 1_000)) {
    for (const { kind, transaction_id, visitor_id, is_deleted } of projectPayment(payment)) {
      const key = `${kind} ${transaction_id}`;
      if (is_deleted === 1) rows.delete(key);
      else rows.set(key, `${key} ${visitor_id}`);
    }
  }
  return [...rows.values()].toSorted();
}

describe('a voided refund', () => {
  it('counts no longer against the payment that it names, which stays', async () => {
    await pay('p', { visitorId: 'v' });
    await pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 400n });
    await pay('s', { refunded: true, originalTransactionId: 'p', amountMinor: 500n });
    assert.ok((await createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE)).ok);
    assert.deepEqual(await shipped(), ['payment p v', 'refund s v']);
    const list = createPaymentList(db);
    assert.deepEqual(
      (await list.findPayment(SITE, 'p'))?.refunds.map((each) => each.transactionId),
      ['s'],
    );
    const found = await list.findPayment(SITE, 'r');
    assert.equal(found?.transactionId, 'r');
    assert.equal(found.record.refundStatedMinor, 400n);
    assert.equal(found.record.voidedAt, 5_000);
    assert.equal(found.changes[0]?.change, 'void');
    const again = { refunded: true, originalTransactionId: 'p', amountMinor: 400n };
    assert.equal(await pay('r', again), 'transaction_conflict');
    assert.equal(
      await pay('t', { ...again, amountMinor: 500n }),
      'recorded',
      'its amount is free again',
    );
  });

  it('no longer pays back the payment that it was matched to', async () => {
    await pay('p', { customerId: 'cus_1' });
    await pay('r', { refunded: true, customerId: 'cus_1' });
    await createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE);
    const list = createPaymentList(db);
    assert.deepEqual((await list.findPayment(SITE, 'p'))?.refunds, []);
    assert.equal((await list.findPayment(SITE, 'r'))?.status, 'voided');
    assert.deepEqual(await shipped(), ['payment p undefined']);
  });

  it('leaves its payment to another refund that names none', async () => {
    await pay('p', { customerId: 'cus_1' });
    await pay('r', { refunded: true, originalTransactionId: 'p' });
    await pay('s', { refunded: true, customerId: 'cus_1' });
    await createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE);
    assert.equal(await matchOf('s'), 'p');
  });

  it('leaves nothing of a payment that nobody has reported, which may still be', async () => {
    await pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 6_000n });
    assert.equal(await pay('p'), 'transaction_conflict', 'the refund is larger');
    assert.ok((await createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE)).ok);
    const list = createPaymentList(db);
    assert.deepEqual(await shipped(), []);
    assert.equal(await list.findPayment(SITE, 'p'), undefined);
    assert.deepEqual(
      (await list.listPayments(SITE, {}, { limit: 9 })).map((each) => each.transactionId),
      ['r'],
    );
    assert.equal(await pay('p', { visitorId: 'v', currency: 'USD' }), 'recorded');
    assert.deepEqual(await shipped(), ['payment p v']);
  });

  it('is refused if its payment is voided, and its visitor is not its own', async () => {
    const changes = createPaymentChanges(db);
    await pay('p');
    await pay('r', { refunded: true, originalTransactionId: 'p' });
    const refusals = [await changes.correctVisitor(SITE, 'r', 'v', CHANGE)];
    await changes.voidPayment(SITE, 'p', CHANGE);
    refusals.push(await changes.voidPayment(SITE, 'r', CHANGE));
    assert.deepEqual(
      refusals.map((each) => (each.ok ? undefined : each.error)),
      ['Transaction r is a refund of p.', 'Payment p is voided.'],
    );
    assert.deepEqual(await shipped(), []);
  });
});

describe('a voided payment', () => {
  it('leaves the warehouse with its refunds, and stays in the ledger with author and time', async () => {
    await pay('p', { visitorId: 'v' });
    await pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 400n });
    await pay('q', { visitorId: 'w' });
    assert.ok((await createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE)).ok);
    assert.deepEqual(await shipped(), ['payment q w']);
    const found = await createPaymentList(db).findPayment(SITE, 'r');
    assert.equal(found?.transactionId, 'p');
    assert.equal(found.record.voidedAt, 5_000);
    assert.deepEqual(found.changes, [
      { change: 'void', ...CHANGE, before: undefined, after: undefined },
    ]);
  });

  it('is not restored by a report, nor voided twice', async () => {
    await pay('p');
    await createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE);
    assert.equal(await pay('p'), 'transaction_conflict');
    assert.equal(await pay('p', { email: 'a@shop.example' }), 'transaction_conflict');
    assert.equal(
      await pay('r', { refunded: true, originalTransactionId: 'p' }),
      'transaction_conflict',
    );
    assert.equal((await createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE)).ok, false);
    assert.equal((await createPaymentChanges(db).voidPayment(SITE, 'unknown', CHANGE)).ok, false);
  });

  it('keeps its matched refund, which takes nothing from another payment', async () => {
    await pay('test', { customerId: 'cus_1', paidAt: 1_000 });
    await pay('r', { customerId: 'cus_1', refunded: true, refundedAt: 2_000 });
    await createPaymentChanges(db).voidPayment(SITE, 'test', CHANGE);
    await pay('real', { customerId: 'cus_1', paidAt: 3_000 });
    await pay('earlier', { customerId: 'cus_1', paidAt: 500 });
    assert.deepEqual(await shipped(), ['payment earlier undefined', 'payment real undefined']);
    assert.equal(await matchOf('r'), 'test');
  });

  it('no longer joins visitors', async () => {
    await pay('p1', { visitorId: 'v', customerId: 'c' });
    await pay('p2', { visitorId: 'w', customerId: 'c' });
    const visitorsOfFirst = async () =>
      (await createPaymentList(db).findPayment(SITE, 'p1'))?.visitorIds;
    assert.deepEqual(await visitorsOfFirst(), ['v', 'w']);
    await createPaymentChanges(db).voidPayment(SITE, 'p2', CHANGE);
    assert.deepEqual(await visitorsOfFirst(), ['v']);
  });

  it('no longer joins the visitors that its refunds name, and is no reason for a join', async () => {
    await pay('p1', { visitorId: 'v', customerId: 'c' });
    await pay('p2', { visitorId: 'w', email: 'w@tea.example' });
    await pay('r', {
      visitorId: 'x',
      customerId: 'c',
      refunded: true,
      originalTransactionId: 'p2',
    });
    const visitorsOfFirst = async () =>
      (await createPaymentList(db).findPayment(SITE, 'p1'))?.visitorIds;
    assert.deepEqual(await visitorsOfFirst(), ['v', 'x']);
    await createPaymentChanges(db).voidPayment(SITE, 'p2', CHANGE);
    assert.deepEqual(await visitorsOfFirst(), ['v']);
    const joins = await findJoins(db, SITE, ['v', 'w', 'x']);
    assert.deepEqual(
      joins.map(({ visitorId, key }) => `${visitorId} ${key}`),
      ['v c'],
    );
  });
});

describe('a payment whose visitor is corrected', () => {
  it('has that visitor from then on, whatever is reported', async () => {
    await pay('p', { visitorId: 'wrong', customerId: 'c' });
    await pay('renewal', { customerId: 'c' });
    await createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    await pay('p', { visitorId: 'a-wrong-one-again' });
    assert.deepEqual(await shipped(), ['payment p right', 'payment renewal undefined']);
    const list = createPaymentList(db);
    assert.deepEqual((await list.findPayment(SITE, 'renewal'))?.visitorIds, ['right']);
    assert.deepEqual((await list.findPayment(SITE, 'p'))?.changes, [
      { change: 'visitor', ...CHANGE, before: 'wrong', after: 'right' },
    ]);
  });

  it('may get a refund later, by what it shares then', async () => {
    await pay('p', { visitorId: 'wrong' });
    await pay('r', { refunded: true, visitorId: 'right' });
    await createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    assert.equal(await matchOf('r'), 'p');
  });

  it('keeps the refund that was matched by the reported visitor', async () => {
    await pay('p', { visitorId: 'wrong' });
    await pay('r', { visitorId: 'wrong', refunded: true });
    await createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    assert.deepEqual(await shipped(), ['payment p right', 'refund r right']);
    await pay('q', { visitorId: 'right' });
    assert.deepEqual(await shipped(), ['payment p right', 'payment q right', 'refund r right']);
  });

  it('keeps its matched refund beside named ones, up to its amount', async () => {
    const matched = { customerId: 'cus_1', refunded: true, amountMinor: 400n };
    await pay('p', { customerId: 'cus_1', visitorId: 'v' });
    await pay('r', matched);
    await createPaymentChanges(db).correctVisitor(SITE, 'p', 'w', CHANGE);
    const named = { refunded: true, originalTransactionId: 'p', amountMinor: 1_001n };
    assert.equal(await pay('s', named), 'transaction_conflict');
    assert.equal(await matchOf('r'), 'p');
    assert.equal(await pay('s', { ...named, amountMinor: 600n }), 'recorded');
    assert.equal(await pay('p', { refunded: true }), 'recorded', 'the same money');
    assert.equal(await matchOf('r'), 'p');
    assert.deepEqual(
      (await createPaymentList(db).findPayment(SITE, 'p'))?.refunds.map((each) => each.amountMinor),
      [400n, 600n],
    );
  });

  it('is paid back once, though it or its refund is corrected or erased', async () => {
    const unnamed = (id: string, visitorId: string) =>
      pay(id, { visitorId, email: 'a@b.example', refunded: true });
    const erase =
      "UPDATE refunds SET visitor_id = NULL, email = NULL, erased_at = 1 WHERE transaction_id = 'r'";
    for (const change of [
      () => createPaymentChanges(db).correctVisitor(SITE, 'p', 'w', CHANGE),
      () => db.exec(erase),
    ]) {
      await pay('p', { visitorId: 'v', email: 'a@b.example' });
      await pay('r', { visitorId: 'v', refunded: true });
      await change();
      for (const visitor of ['v', 'w']) await unnamed(`again-${visitor}`, visitor);
      assert.deepEqual(
        [await matchOf('r'), await matchOf('again-v'), await matchOf('again-w')],
        ['p', undefined, undefined],
      );
      await createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE);
      assert.deepEqual(
        (await shipped()).filter((row) => / [pr] /.test(row)),
        [],
      );
      await db.exec('DELETE FROM payments; DELETE FROM refunds');
    }
  });

  it('stays erased as a refund that becomes a payment', async () => {
    await pay('p', { visitorId: 'v' });
    await pay('r', { visitorId: 'v', refunded: true });
    await db.exec("UPDATE refunds SET visitor_id = NULL, erased_at = 1 WHERE transaction_id = 'r'");
    await pay('r', { visitorId: 'v', email: 'a@b.example' });
    const { visitorId, email } = (await createPaymentList(db).findPayment(SITE, 'r'))?.record ?? {};
    assert.deepEqual([visitorId, email], [undefined, undefined]);
  });

  it('is refused an id that no visitor can have', async () => {
    await pay('p', { visitorId: 'v' });
    for (const invalid of ['', 'a b', 'x'.repeat(129)]) {
      const changed = await createPaymentChanges(db).correctVisitor(SITE, 'p', invalid, CHANGE);
      assert.match(
        changed.ok ? '' : changed.error,
        /^The visitor’s id must be 1 to 128 characters/,
      );
    }
    assert.deepEqual((await createPaymentList(db).findPayment(SITE, 'p'))?.changes, []);
  });

  it('may have no known visitor', async () => {
    await pay('p', { visitorId: 'wrong' });
    await createPaymentChanges(db).correctVisitor(SITE, 'p', undefined, CHANGE);
    assert.deepEqual(await shipped(), ['payment p undefined']);
  });
});

describe('the list of payments', () => {
  it('returns pages, latest paid first, and applies filters', async () => {
    // Reported in another order than paid; two in one instant, one without a time of its own.
    for (const [id, paidAt] of Object.entries({
      c: 3_000,
      a: 1_000,
      e: 5_000,
      b: 2_000,
      d: 3_000,
    })) {
      await pay(id, { paidAt, customerId: 'ab'.includes(id) ? 'cus_1' : 'cus_2' });
    }
    await pay('f', { receivedAt: 6_000, customerId: 'cus_1' });
    const { listPayments } = createPaymentList(db);
    const idsOf = (listed: Awaited<ReturnType<typeof listPayments>>) =>
      listed.map(({ transactionId }) => transactionId).join('');
    const first = await listPayments(SITE, {}, { limit: 3 });
    assert.equal(idsOf(first), 'fed');
    const beyond = first.at(-1)?.position;
    assert.equal(idsOf(await listPayments(SITE, {}, { beyond, limit: 3 })), 'cba');
    assert.equal(idsOf(await listPayments(SITE, { customerId: 'cus_1' }, { limit: 9 })), 'fba');
    assert.equal(
      idsOf(await listPayments(SITE, { customerId: 'cus_1' }, { beyond, limit: 9 })),
      'ba',
    );
    const paid = { from: 2_000, before: 5_000 };
    assert.equal(idsOf(await listPayments(SITE, {}, { limit: 9, paid })), 'dcb');
    assert.equal(idsOf(await listPayments(SITE, {}, { limit: 9, paid, beyond })), 'cb');
    assert.deepEqual(await listPayments('site_2', {}, { limit: 3 }), []);
  });
});
