import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { createCommitEntries } from '#ledger/commit-entries.ts';
import { findSubject } from '#ledger/erasure/erase-person.ts';
import { createFindPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { LEDGER_SCHEMA } from '#ledger/schema.ts';

const SITE = 'site_1';
const DAY = 86_400_000;

let db: DatabaseSync;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
  db.exec(LEDGER_SCHEMA);
});
afterEach(() => db.close());

type Report = Partial<PaymentReport> & { readonly transactionId: string };

function report(facts: Report) {
  const defaults = { amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false };
  const [outcome] = createCommitEntries(db)([
    {
      kind: 'payment',
      siteId: SITE,
      report: { ...defaults, receivedAt: DAY, ...facts },
      claim: undefined,
    },
  ]);
  return outcome;
}

const pay = (transactionId: string, facts: Partial<Report> = {}) =>
  report({ customerId: 'cus', ...facts, transactionId });
const refund = (transactionId: string, facts: Partial<Report> = {}) =>
  report({ customerId: 'cus', refunded: true, ...facts, transactionId });

/** What the warehouse holds once everything is shipped, newest versions only. */
function warehouse(): string[] {
  const rows = new Map<string, string>();
  const findPayments = createFindPayments(db);
  for (const payment of findPayments({ after: 0n, upTo: LAST_VERSION }, 1_000)) {
    for (const row of projectPayment(payment)) {
      const { kind, transaction_id: id, original_transaction_id: of, amount_minor: amount } = row;
      const key = `${kind} ${id}`;
      if (row.is_deleted === 1) rows.delete(key);
      else
        rows.set(
          key,
          `${key} ${of === undefined ? '' : `of ${of} `}${amount} ${row.visitor_id ?? ''}`,
        );
    }
  }
  return [...rows.values()].map((row) => row.trim()).toSorted();
}

describe('a refund that names no payment', () => {
  it('is the refund of the one payment of its customer, e-mail address or visitor', () => {
    for (const [index, who] of [
      { customerId: 'c' },
      { email: 'a@shop.example' },
      { visitorId: 'v' },
    ].entries()) {
      pay(`p${index}`, { customerId: undefined, amountMinor: 2_000n, ...who });
      const outcome = refund(`r${index}`, { customerId: undefined, ...who });
      assert.deepEqual(outcome, { kind: 'recorded', matchedTo: `p${index}` });
    }
    assert.deepEqual(warehouse(), [
      'payment p0 2000',
      'payment p1 2000',
      'payment p2 2000 v',
      'refund r0 of p0 1000',
      'refund r1 of p1 1000',
      'refund r2 of p2 1000 v',
    ]);
  });

  it('matches when it comes first, and when its payment gets its visitor later', () => {
    assert.deepEqual(refund('r'), { kind: 'recorded', isUnmatched: true });
    assert.deepEqual(warehouse(), ['payment r 1000', 'refund r of r 1000']);
    pay('p');
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    pay('p', { visitorId: 'v' });
    assert.deepEqual(warehouse(), ['payment p 1000 v', 'refund r of p 1000 v']);
  });

  it('stays unmatched with several or no possible payments', () => {
    pay('smaller', { amountMinor: 999n });
    pay('other-money', { currency: 'USD' });
    pay('other-customer', { customerId: 'another' });
    pay('much-later', { paidAt: 10 * DAY });
    pay('refunded');
    pay('refunded', { refunded: true });
    assert.deepEqual(refund('r'), { kind: 'recorded', isUnmatched: true });
    pay('p');
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    pay('q');
    assert.deepEqual(refund('r'), { kind: 'unchanged', isUnmatched: true });
    assert.ok(warehouse().includes('payment r 1000'));
  });

  it('is matched once another refund leaves one payment for it, whichever came first', () => {
    const reports = [
      () => pay('small'),
      () => pay('large', { amountMinor: 2_000n }),
      () => refund('r-small', { receivedAt: 2 * DAY }),
      () => refund('r-large', { amountMinor: 2_000n, receivedAt: 3 * DAY }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      db.exec('DELETE FROM payments');
      for (const send of order) send();
      assert.deepEqual(warehouse(), [
        'payment large 2000',
        'payment small 1000',
        'refund r-large of large 2000',
        'refund r-small of small 1000',
      ]);
    }
  });

  it('is of no payment that is stated to be later, in any order of arrival', () => {
    const noon = 10.5 * DAY;
    const reports = [
      () => pay('p', { paidAt: noon }),
      () => refund('r', { refundedAt: noon + 2 * DAY }),
      () => pay('next', { paidAt: noon + 2 * DAY + 1 }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      db.exec('DELETE FROM payments');
      for (const send of order) send();
      assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    }
  });

  it('without a time is of no payment that is stated to be later than its arrival', () => {
    pay('p', { paidAt: 9 * DAY, receivedAt: 10 * DAY });
    refund('r', { receivedAt: 11 * DAY });
    pay('again', { paidAt: 11 * DAY + 1, receivedAt: 11 * DAY + 1 });
    assert.deepEqual(refund('r', { receivedAt: 12 * DAY }), { kind: 'unchanged', matchedTo: 'p' });
  });

  it('competes with another one by what was stated, not by arrival', () => {
    const [early, late, large, small] = [
      { transactionId: 'early', refunded: true, refundedAt: 9 * DAY },
      { transactionId: 'late', refunded: true, refundedAt: 10 * DAY },
      { transactionId: 'large', refunded: true, amountMinor: 1_500n },
      { transactionId: 'small', refunded: true, amountMinor: 1_200n },
    ] as const;
    const matched = (...drawn: Report[]) => {
      const paid = { transactionId: 'p', amountMinor: 2_000n, paidAt: 8 * DAY };
      const ofCustomer = [paid, ...drawn].map((each) => ({ ...each, customerId: 'cus' }));
      return afterAll(ofCustomer.map(arrivedAt)).filter((row) => row.includes('of p'));
    };
    for (const drawn of [
      [small, large],
      [large, small],
    ]) {
      assert.deepEqual(matched(...drawn), ['refund large of p 1500']);
    }
    for (const drawn of [
      [early, late, large],
      [large, late, early],
    ]) {
      assert.deepEqual(matched(...drawn), ['refund early of p 1000']);
    }
  });

  it('is matched among thousands of payments of its customer', () => {
    for (let index = 0; index < 2_000; index += 1) pay(`p${index}`);
    assert.deepEqual(refund('r', { amountMinor: 1_500n }), { kind: 'recorded', isUnmatched: true });
    pay('large', { amountMinor: 2_000n });
    assert.deepEqual(refund('r', { amountMinor: 1_500n }), {
      kind: 'unchanged',
      matchedTo: 'large',
    });
  });

  it('of nothing takes no payment but one of nothing', () => {
    pay('p');
    assert.deepEqual(refund('nothing', { amountMinor: 0n }), {
      kind: 'recorded',
      isUnmatched: true,
    });
    assert.deepEqual(refund('r'), { kind: 'recorded', matchedTo: 'p' });
    pay('trial', { amountMinor: 0n });
    assert.deepEqual(refund('nothing', { amountMinor: 0n }), {
      kind: 'unchanged',
      matchedTo: 'trial',
    });
  });

  it('of a date without a time may be of a payment on that day', () => {
    refund('r', { refundedAt: 10 * DAY });
    pay('next-day', { paidAt: 11 * DAY });
    pay('p', { paidAt: 11 * DAY - 1 });
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
  });

  it('is erased with the visitor of its payment, though it names the address alone', () => {
    pay('p', { visitorId: 'v', email: 'a@shop.example' });
    refund('r', { customerId: undefined, email: 'a@shop.example' });
    assert.deepEqual(findSubject(db, SITE, 'v', 'visitor').transactions, ['p', 'r']);
  });

  it('is not matched by placeholders', () => {
    pay('p', { customerId: 'null', email: 'test@test.com' });
    assert.deepEqual(refund('r', { customerId: 'null', email: 'test@test.com' }), {
      kind: 'recorded',
      isUnmatched: true,
    });
  });

  it('follows a later report that names its payment, or that reports a payment', () => {
    pay('p');
    pay('q', { customerId: 'another' });
    refund('r');
    const refundOf = { transactionId: 'q', isKnown: true };
    assert.deepEqual(refund('r', { originalTransactionId: 'q' }), { kind: 'recorded', refundOf });
    assert.deepEqual(refund('s'), { kind: 'recorded', matchedTo: 'p' }, 'p is free again');
    pay('s');
    assert.deepEqual(warehouse(), [
      'payment p 1000',
      'payment q 1000',
      'payment s 1000',
      'refund r of q 1000',
      'refund s of s 1000',
    ]);
  });

  it('differs from one whose named payment is not reported yet', () => {
    const refundOf = { transactionId: 'p', isKnown: false };
    const sent = () => refund('r', { originalTransactionId: 'p' });
    assert.deepEqual(sent(), { kind: 'recorded', refundOf });
    pay('p');
    assert.deepEqual(sent(), { kind: 'unchanged', refundOf: { ...refundOf, isKnown: true } });
  });

  it('is none once another refund names it as its payment, in any order of arrival', () => {
    const reports = [
      () => pay('p', { amountMinor: 2_000n }),
      () => refund('x', { amountMinor: 500n }),
      () => refund('r', { amountMinor: 300n, originalTransactionId: 'x' }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      db.exec('DELETE FROM payments; DELETE FROM refunds');
      for (const send of order) send();
      assert.deepEqual(warehouse(), [
        'payment p 2000',
        'payment x 500',
        'refund r of x 300',
        'refund x of x 200',
      ]);
    }
  });

  it('gets the same answer again under its Idempotency-Key', () => {
    pay('p');
    const claim = { key: 'k', bodyDigest: 'd', answer: '{"message":"Refund recorded."}' };
    const entry = {
      kind: 'payment' as const,
      siteId: SITE,
      report: {
        ...{ transactionId: 'r', amountMinor: 1_000n, currency: 'EUR', customerId: 'cus' },
        ...{ renewal: false, refunded: true, receivedAt: DAY },
      },
      claim: { ...claim, subject: 'r' },
    };
    createCommitEntries(db)([entry]);
    assert.deepEqual(createCommitEntries(db)([entry]), [
      {
        kind: 'replayed',
        answer: '{"message":"Refund recorded. It was matched to payment p."}',
      },
    ]);
  });

  it('gives the same result in any order of arrival', () => {
    const facts = fc.record({
      transactionId: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'r1', 'r2', 'r3'),
      amountMinor: fc.constantFrom(1_000n, 2_000n),
      customerId: fc.constantFrom('c1', 'c2', undefined),
      email: fc.constantFrom('a@b.example', undefined),
      visitorId: fc.constantFrom('v1', 'v2', undefined),
      paidAt: fc.constantFrom(DAY, 9 * DAY, undefined),
    });
    const distinct = fc.uniqueArray(facts, { selector: (fact) => fact.transactionId });
    const refundedThemselves = fc.subarray(['p1', 'p2', 'p3', 'p4']);
    fc.assert(
      fc.property(
        distinct,
        refundedThemselves,
        fc.infiniteStream(fc.nat()),
        (drawn, own, order) => {
          const reports = drawn.flatMap((fact) => {
            const isPayment = fact.transactionId.startsWith('p');
            const alsoRefunded = isPayment && own.includes(fact.transactionId);
            return [
              { ...fact, refunded: !isPayment },
              ...(alsoRefunded ? [{ ...fact, refunded: true }] : []),
            ];
          });
          const inOrder = afterAll(reports.map(arrivedAt));
          const shuffled = reports
            .map((each) => [order.next().value ?? 0, each] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, each]) => each);
          assert.deepEqual(afterAll(shuffled.map(arrivedAt)), inOrder);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  function arrivedAt(each: Report, index: number): Report {
    return { ...each, receivedAt: 20 * DAY + index };
  }

  function afterAll(reports: readonly Report[]): string[] {
    db.exec('DELETE FROM payments; DELETE FROM refunds');
    for (const each of reports) report(each);
    return warehouse();
  }
});
