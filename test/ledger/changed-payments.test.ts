import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { createCommitEntries } from '#ledger/commit-entries.ts';
import { createPaymentChanges } from '#ledger/payments/change-payment.ts';
import { createFindPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { findJoins } from '#ledger/persons/find-joins.ts';
import { createPersonResolver } from '#ledger/persons/resolve-persons.ts';
import { LEDGER_SCHEMA } from '#ledger/schema.ts';

const SITE = 'site_1';
const CHANGE = { by: 'key_1', at: 5_000 };

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
  db.exec(LEDGER_SCHEMA);
});
afterEach(() => db.close());

function pay(transactionId: string, facts: Partial<PaymentReport> = {}) {
  const defaults = { amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false };
  const report = { ...defaults, receivedAt: 1_000, ...facts, transactionId };
  const [outcome] = createCommitEntries(db)([
    { kind: 'payment', siteId: SITE, report, claim: undefined },
  ]);
  while (createPersonResolver(db).resolveSome());
  return outcome?.kind;
}

/** The payment that a refund was matched to. */
function matchOf(refundId: string): string | undefined {
  const payment = createPaymentList(db).findPayment(SITE, refundId);
  const refund = payment?.refunds.find((each) => each.transactionId === refundId);
  return refund?.isMatched ? payment?.transactionId : undefined;
}

/** The rows that the warehouse holds, newest versions only. */
function shipped(): string[] {
  const rows = new Map<string, string>();
  for (const payment of createFindPayments(db)({ after: 0n, upTo: LAST_VERSION }, 1_000)) {
    for (const { kind, transaction_id, visitor_id, is_deleted } of projectPayment(payment)) {
      const key = `${kind} ${transaction_id}`;
      if (is_deleted === 1) rows.delete(key);
      else rows.set(key, `${key} ${visitor_id}`);
    }
  }
  return [...rows.values()].toSorted();
}

describe('a voided refund', () => {
  it('counts no longer against the payment that it names, which stays', () => {
    pay('p', { visitorId: 'v' });
    pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 400n });
    pay('s', { refunded: true, originalTransactionId: 'p', amountMinor: 500n });
    assert.ok(createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE).ok);
    assert.deepEqual(shipped(), ['payment p v', 'refund s v']);
    const list = createPaymentList(db);
    assert.deepEqual(
      list.findPayment(SITE, 'p')?.refunds.map((each) => each.transactionId),
      ['s'],
    );
    const found = list.findPayment(SITE, 'r');
    assert.equal(found?.transactionId, 'r');
    assert.equal(found.record.refundStatedMinor, 400n);
    assert.equal(found.record.voidedAt, 5_000);
    assert.equal(found.changes[0]?.change, 'void');
    const again = { refunded: true, originalTransactionId: 'p', amountMinor: 400n };
    assert.equal(pay('r', again), 'transaction_conflict');
    assert.equal(pay('t', { ...again, amountMinor: 500n }), 'recorded', 'its amount is free again');
  });

  it('no longer pays back the payment that it was matched to', () => {
    pay('p', { customerId: 'cus_1' });
    pay('r', { refunded: true, customerId: 'cus_1' });
    createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE);
    const list = createPaymentList(db);
    assert.deepEqual(list.findPayment(SITE, 'p')?.refunds, []);
    assert.equal(list.findPayment(SITE, 'r')?.status, 'voided');
    assert.deepEqual(shipped(), ['payment p undefined']);
  });

  it('leaves its payment to another refund that names none', () => {
    pay('p', { customerId: 'cus_1' });
    pay('r', { refunded: true, originalTransactionId: 'p' });
    pay('s', { refunded: true, customerId: 'cus_1' });
    createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE);
    assert.equal(matchOf('s'), 'p');
  });

  it('leaves nothing of a payment that nobody has reported, which may still be', () => {
    pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 6_000n });
    assert.equal(pay('p'), 'transaction_conflict', 'the refund is larger');
    assert.ok(createPaymentChanges(db).voidPayment(SITE, 'r', CHANGE).ok);
    const list = createPaymentList(db);
    assert.deepEqual(shipped(), []);
    assert.equal(list.findPayment(SITE, 'p'), undefined);
    assert.deepEqual(
      list.listPayments(SITE, {}, { limit: 9 }).map((each) => each.transactionId),
      ['r'],
    );
    assert.equal(pay('p', { visitorId: 'v', currency: 'USD' }), 'recorded');
    assert.deepEqual(shipped(), ['payment p v']);
  });

  it('is refused if its payment is voided, and its visitor is not its own', () => {
    const changes = createPaymentChanges(db);
    pay('p');
    pay('r', { refunded: true, originalTransactionId: 'p' });
    const refusals = [changes.correctVisitor(SITE, 'r', 'v', CHANGE)];
    changes.voidPayment(SITE, 'p', CHANGE);
    refusals.push(changes.voidPayment(SITE, 'r', CHANGE));
    assert.deepEqual(
      refusals.map((each) => (each.ok ? undefined : each.error)),
      ['Transaction r is a refund of p.', 'Payment p is voided.'],
    );
    assert.deepEqual(shipped(), []);
  });
});

describe('a voided payment', () => {
  it('leaves the warehouse with its refunds, and stays in the ledger with author and time', () => {
    pay('p', { visitorId: 'v' });
    pay('r', { refunded: true, originalTransactionId: 'p', amountMinor: 400n });
    pay('q', { visitorId: 'w' });
    assert.ok(createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE).ok);
    assert.deepEqual(shipped(), ['payment q w']);
    const found = createPaymentList(db).findPayment(SITE, 'r');
    assert.equal(found?.transactionId, 'p');
    assert.equal(found.record.voidedAt, 5_000);
    assert.deepEqual(found.changes, [
      { change: 'void', ...CHANGE, before: undefined, after: undefined },
    ]);
  });

  it('is not restored by a report, nor voided twice', () => {
    pay('p');
    createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE);
    assert.equal(pay('p'), 'transaction_conflict');
    assert.equal(pay('p', { email: 'a@shop.example' }), 'transaction_conflict');
    assert.equal(pay('r', { refunded: true, originalTransactionId: 'p' }), 'transaction_conflict');
    assert.equal(createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE).ok, false);
    assert.equal(createPaymentChanges(db).voidPayment(SITE, 'unknown', CHANGE).ok, false);
  });

  it('keeps its matched refund, which takes nothing from another payment', () => {
    pay('test', { customerId: 'cus_1', paidAt: 1_000 });
    pay('r', { customerId: 'cus_1', refunded: true, refundedAt: 2_000 });
    createPaymentChanges(db).voidPayment(SITE, 'test', CHANGE);
    pay('real', { customerId: 'cus_1', paidAt: 3_000 });
    pay('earlier', { customerId: 'cus_1', paidAt: 500 });
    assert.deepEqual(shipped(), ['payment earlier undefined', 'payment real undefined']);
    assert.equal(matchOf('r'), 'test');
  });

  it('no longer joins visitors', () => {
    pay('p1', { visitorId: 'v', customerId: 'c' });
    pay('p2', { visitorId: 'w', customerId: 'c' });
    const visitorsOfFirst = () => createPaymentList(db).findPayment(SITE, 'p1')?.visitorIds;
    assert.deepEqual(visitorsOfFirst(), ['v', 'w']);
    createPaymentChanges(db).voidPayment(SITE, 'p2', CHANGE);
    assert.deepEqual(visitorsOfFirst(), ['v']);
  });

  it('no longer joins the visitors that its refunds name, and is no reason for a join', () => {
    pay('p1', { visitorId: 'v', customerId: 'c' });
    pay('p2', { visitorId: 'w', email: 'w@tea.example' });
    pay('r', { visitorId: 'x', customerId: 'c', refunded: true, originalTransactionId: 'p2' });
    const visitorsOfFirst = () => createPaymentList(db).findPayment(SITE, 'p1')?.visitorIds;
    assert.deepEqual(visitorsOfFirst(), ['v', 'x']);
    createPaymentChanges(db).voidPayment(SITE, 'p2', CHANGE);
    assert.deepEqual(visitorsOfFirst(), ['v']);
    const joins = findJoins(db, SITE, ['v', 'w', 'x']);
    assert.deepEqual(
      joins.map(({ visitorId, key }) => `${visitorId} ${key}`),
      ['v c'],
    );
  });
});

describe('a payment whose visitor is corrected', () => {
  it('has that visitor from then on, whatever is reported', () => {
    pay('p', { visitorId: 'wrong', customerId: 'c' });
    pay('renewal', { customerId: 'c' });
    createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    pay('p', { visitorId: 'a-wrong-one-again' });
    assert.deepEqual(shipped(), ['payment p right', 'payment renewal undefined']);
    const list = createPaymentList(db);
    assert.deepEqual(list.findPayment(SITE, 'renewal')?.visitorIds, ['right']);
    assert.deepEqual(list.findPayment(SITE, 'p')?.changes, [
      { change: 'visitor', ...CHANGE, before: 'wrong', after: 'right' },
    ]);
  });

  it('may get a refund later, by what it shares then', () => {
    pay('p', { visitorId: 'wrong' });
    pay('r', { refunded: true, visitorId: 'right' });
    createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    assert.equal(matchOf('r'), 'p');
  });

  it('keeps the refund that was matched by the reported visitor', () => {
    pay('p', { visitorId: 'wrong' });
    pay('r', { visitorId: 'wrong', refunded: true });
    createPaymentChanges(db).correctVisitor(SITE, 'p', 'right', CHANGE);
    assert.deepEqual(shipped(), ['payment p right', 'refund r right']);
    pay('q', { visitorId: 'right' });
    assert.deepEqual(shipped(), ['payment p right', 'payment q right', 'refund r right']);
  });

  it('takes no more refunds than its amount, and loses none', () => {
    const matched = { customerId: 'cus_1', refunded: true, amountMinor: 400n };
    pay('p', { customerId: 'cus_1', visitorId: 'v' });
    pay('r', matched);
    createPaymentChanges(db).correctVisitor(SITE, 'p', 'w', CHANGE);
    const named = { refunded: true, originalTransactionId: 'p', amountMinor: 601n };
    assert.equal(pay('s', named), 'transaction_conflict');
    assert.equal(pay('s', { ...named, amountMinor: 600n }), 'recorded');
    assert.equal(pay('p', { refunded: true }), 'recorded', 'the same money');
    assert.equal(matchOf('r'), 'p');
    assert.deepEqual(
      createPaymentList(db)
        .findPayment(SITE, 'p')
        ?.refunds.map((each) => each.amountMinor),
      [400n, 600n],
    );
  });

  it('is paid back once, though it or its refund is corrected or erased', () => {
    const unnamed = (id: string, visitorId: string) =>
      pay(id, { visitorId, email: 'a@b.example', refunded: true });
    const erase =
      "UPDATE refunds SET visitor_id = NULL, email = NULL, erased_at = 1 WHERE transaction_id = 'r'";
    for (const change of [
      () => createPaymentChanges(db).correctVisitor(SITE, 'p', 'w', CHANGE),
      () => db.exec(erase),
    ]) {
      pay('p', { visitorId: 'v', email: 'a@b.example' });
      pay('r', { visitorId: 'v', refunded: true });
      change();
      for (const visitor of ['v', 'w']) unnamed(`again-${visitor}`, visitor);
      assert.deepEqual(
        [matchOf('r'), matchOf('again-v'), matchOf('again-w')],
        ['p', undefined, undefined],
      );
      createPaymentChanges(db).voidPayment(SITE, 'p', CHANGE);
      assert.deepEqual(
        shipped().filter((row) => / [pr] /.test(row)),
        [],
      );
      db.exec('DELETE FROM payments; DELETE FROM refunds');
    }
  });

  it('stays erased as a refund that becomes a payment', () => {
    pay('p', { visitorId: 'v' });
    pay('r', { visitorId: 'v', refunded: true });
    db.exec("UPDATE refunds SET visitor_id = NULL, erased_at = 1 WHERE transaction_id = 'r'");
    pay('r', { visitorId: 'v', email: 'a@b.example' });
    const { visitorId, email } = createPaymentList(db).findPayment(SITE, 'r')?.record ?? {};
    assert.deepEqual([visitorId, email], [undefined, undefined]);
  });

  it('is not one that no visitor can be', () => {
    pay('p', { visitorId: 'v' });
    for (const invalid of ['', 'a b', 'x'.repeat(129)]) {
      const changed = createPaymentChanges(db).correctVisitor(SITE, 'p', invalid, CHANGE);
      assert.match(
        changed.ok ? '' : changed.error,
        /^The visitor’s id must be 1 to 128 characters/,
      );
    }
    assert.deepEqual(createPaymentList(db).findPayment(SITE, 'p')?.changes, []);
  });

  it('may have no known visitor', () => {
    pay('p', { visitorId: 'wrong' });
    createPaymentChanges(db).correctVisitor(SITE, 'p', undefined, CHANGE);
    assert.deepEqual(shipped(), ['payment p undefined']);
  });
});

describe('the list of payments', () => {
  it('returns pages, latest paid first, and applies filters', () => {
    // Reported in another order than paid; two in one instant, one without a time of its own.
    for (const [id, paidAt] of Object.entries({
      c: 3_000,
      a: 1_000,
      e: 5_000,
      b: 2_000,
      d: 3_000,
    })) {
      pay(id, { paidAt, customerId: 'ab'.includes(id) ? 'cus_1' : 'cus_2' });
    }
    pay('f', { receivedAt: 6_000, customerId: 'cus_1' });
    const { listPayments } = createPaymentList(db);
    const idsOf = (listed: ReturnType<typeof listPayments>) =>
      listed.map(({ transactionId }) => transactionId).join('');
    const first = listPayments(SITE, {}, { limit: 3 });
    assert.equal(idsOf(first), 'fed');
    const beyond = first.at(-1)?.position;
    assert.equal(idsOf(listPayments(SITE, {}, { beyond, limit: 3 })), 'cba');
    assert.equal(idsOf(listPayments(SITE, { customerId: 'cus_1' }, { limit: 9 })), 'fba');
    assert.equal(idsOf(listPayments(SITE, { customerId: 'cus_1' }, { beyond, limit: 9 })), 'ba');
    const paid = { from: 2_000, before: 5_000 };
    assert.equal(idsOf(listPayments(SITE, {}, { limit: 9, paid })), 'dcb');
    assert.equal(idsOf(listPayments(SITE, {}, { limit: 9, paid, beyond })), 'cb');
    assert.deepEqual(listPayments('site_2', {}, { limit: 3 }), []);
  });
});
