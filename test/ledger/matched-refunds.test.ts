import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Found } from '#contract/payments/payment-messages.ts';
import type { PaymentRow } from '#contract/rows/payment-row.ts';
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
      const key = `${row.kind} ${row.transaction_id}`;
      if (row.is_deleted === 1) rows.delete(key);
      else rows.set(key, toText(row));
    }
  }
  return [...rows.values()].toSorted();
}

function toText({ kind, transaction_id: id, ...row }: PaymentRow): string {
  const { original_transaction_id: of, amount_minor: amount, visitor_id: visitor = '' } = row;
  const isNone = kind === 'payment' && row.accepted_at === undefined;
  const what = `${isNone ? 'no ' : ''}${kind} ${id}${of === undefined ? '' : ` of ${of}`}`;
  return `${what} ${amount} ${visitor}`.trim();
}

/** Payments less refunds, as the warehouse has them. */
function revenue(): bigint {
  return warehouse().reduce((sum, row) => {
    const [, amount = ''] = / (\d+)(?: v\d*)?$/.exec(row) ?? [];
    return row.startsWith('refund') ? sum - BigInt(amount) : sum + BigInt(amount);
  }, 0n);
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
    assert.deepEqual(warehouse(), ['no payment r 1000', 'refund r of r 1000']);
    pay('p');
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    pay('p', { visitorId: 'v' });
    assert.deepEqual(warehouse(), ['payment p 1000 v', 'refund r of p 1000 v']);
  });

  it('stays unmatched with no possible payment', () => {
    pay('smaller', { amountMinor: 999n });
    pay('other-money', { currency: 'USD' });
    pay('other-customer', { customerId: 'another' });
    pay('much-later', { paidAt: 10 * DAY });
    assert.deepEqual(refund('r'), { kind: 'recorded', isUnmatched: true });
    pay('p');
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
  });

  it('keeps its payment when the customer buys again', () => {
    pay('p');
    assert.deepEqual(refund('r'), { kind: 'recorded', matchedTo: 'p' });
    pay('q');
    assert.deepEqual(refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    assert.equal(revenue(), 1_000n);
  });

  it('is one of several of a payment, up to its amount', () => {
    pay('p');
    for (const [id, amountMinor] of [
      ['r1', 300n],
      ['r2', 400n],
    ] as const) {
      assert.deepEqual(refund(id, { amountMinor }), { kind: 'recorded', matchedTo: 'p' });
    }
    assert.equal(revenue(), 300n);
    assert.deepEqual(refund('r3', { amountMinor: 301n }), { kind: 'recorded', isUnmatched: true });
    assert.deepEqual(refund('r4', { amountMinor: 300n }), { kind: 'recorded', matchedTo: 'p' });
    assert.equal(revenue(), 0n);
  });

  it('is of the latest of equal payments before it', () => {
    pay('p', { paidAt: 3 * DAY });
    pay('q', { paidAt: 5 * DAY });
    pay('s', { paidAt: 9 * DAY });
    const at = { refundedAt: 6 * DAY };
    assert.deepEqual(refund('r', at), { kind: 'recorded', matchedTo: 'q' });
    assert.equal(revenue(), 2_000n);
    assert.deepEqual(refund('r2', at), { kind: 'recorded', matchedTo: 'p' });
    assert.deepEqual(refund('r3', at), { kind: 'recorded', isUnmatched: true });
    assert.equal(revenue(), 1_000n);
  });

  it('leaves larger payments to larger refunds, whichever came first', () => {
    const reports = [
      () => pay('small'),
      () => pay('large', { amountMinor: 2_000n }),
      () => refund('r-small', { receivedAt: 2 * DAY }),
      () => refund('r-large', { amountMinor: 2_000n, receivedAt: 3 * DAY }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      db.exec('DELETE FROM payments; DELETE FROM refunds');
      for (const send of order) send();
      assert.deepEqual(warehouse(), [
        'payment large 2000',
        'payment small 1000',
        'refund r-large of large 2000',
        'refund r-small of small 1000',
      ]);
    }
  });

  it('is the same money as a report of the total refunded, in any order', () => {
    const reports: Report[] = [
      { transactionId: 'p', amountMinor: 10_000n },
      { transactionId: 'p', amountMinor: 5_000n, refunded: true },
      { transactionId: 're_1', amountMinor: 3_000n, refunded: true },
      { transactionId: 're_2', amountMinor: 2_000n, refunded: true },
    ];
    for (const order of permutations(reports)) {
      afterAll(order.map((each) => ({ ...each, customerId: 'cus' })));
      assert.equal(revenue(), 5_000n, order.map((each) => each.transactionId).join());
      assert.equal(refund('re_2', { amountMinor: 2_000n })?.kind, 'unchanged');
    }
  });

  it('is first of a payment that was refunded at that time by a report of its own', () => {
    const told = { refunded: true, refundedAt: 20 * DAY };
    for (const [at, matchedTo] of [
      [21 * DAY, 'told'],
      [40 * DAY, 'other'],
    ] as const) {
      db.exec('DELETE FROM payments; DELETE FROM refunds');
      pay('told', { paidAt: 10 * DAY });
      pay('told', told);
      pay('other', { paidAt: 15 * DAY });
      assert.deepEqual(refund('r', { refundedAt: at }), { kind: 'recorded', matchedTo });
    }
    const late = { receivedAt: 50 * DAY };
    assert.deepEqual(refund('again', late), { kind: 'recorded', matchedTo: 'told' });
    assert.equal(revenue(), 0n);
  });

  it('that grows stays with its payment, or is refused', () => {
    pay('p');
    pay('q', { amountMinor: 9_000n });
    refund('r', { amountMinor: 300n });
    assert.deepEqual(refund('r', { amountMinor: 400n, visitorId: 'v' }), {
      kind: 'recorded',
      matchedTo: 'p',
    });
    assert.equal(revenue(), 9_600n);
    const refused = refund('r', { amountMinor: 1_001n });
    assert.match(JSON.stringify(refused), /conflict.*transaction p, 10\.01 EUR, would exceed/);
    assert.equal(revenue(), 9_600n);
    assert.deepEqual(refund('r', { amountMinor: 400n }), {
      ...{ kind: 'unchanged', matchedTo: 'p' },
      hasOtherVisitor: true, // The report before named one.
    });
  });

  it('is of no payment that is stated to be later, in any order of arrival', () => {
    const noon = 10.5 * DAY;
    const reports = [
      () => pay('p', { paidAt: noon }),
      () => refund('r', { refundedAt: noon + 2 * DAY }),
      () => pay('next', { paidAt: noon + 2 * DAY + 1 }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      db.exec('DELETE FROM payments; DELETE FROM refunds');
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

  it('that waited for its payment competes by what was stated, not by arrival', () => {
    const paid = { transactionId: 'p', amountMinor: 2_000n, paidAt: 8 * DAY };
    const early = { transactionId: 'early', refunded: true, refundedAt: 9 * DAY };
    const late = { ...early, transactionId: 'late', refundedAt: 10 * DAY };
    const large = { transactionId: 'large', refunded: true, amountMinor: 1_500n };
    for (const order of permutations<Report>([early, late, large])) {
      const ofCustomer = [...order, paid].map((each) => ({ ...each, customerId: 'cus' }));
      assert.deepEqual(
        afterAll(ofCustomer.map(arrivedAt)).filter((row) => row.includes('of p')),
        ['refund early of p 1000', 'refund late of p 1000'],
      );
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
    assert.deepEqual(refund('s'), { kind: 'recorded', isUnmatched: true });
    const refundOf = { transactionId: 'q', isKnown: true };
    assert.deepEqual(refund('r', { originalTransactionId: 'q' }), { kind: 'recorded', refundOf });
    assert.deepEqual(refund('s'), { kind: 'unchanged', matchedTo: 'p' }, 'p is free again');
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
        'no payment x 500',
        'payment p 2000',
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

  /** Reports of two customers: payments, of which some are refunded by their own id too, and refunds. */
  const reports = fc
    .uniqueArray(
      fc.record({
        transactionId: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'r1', 'r2', 'r3', 'r4', 'r5'),
        amountMinor: fc.constantFrom(300n, 400n, 1_000n, 2_000n),
        customerId: fc.constantFrom('c1', 'c2', undefined),
        email: fc.constantFrom('a@b.example', undefined),
        visitorId: fc.constantFrom('v1', 'v2', undefined),
        paidAt: fc.constantFrom(DAY, 9 * DAY, undefined),
        toldMinor: fc.constantFrom(undefined, undefined, 300n, 1_000n),
      }),
      { selector: (fact) => fact.transactionId },
    )
    .chain((drawn) => {
      const sent = drawn.flatMap(({ toldMinor, ...fact }) => {
        const refunded = fact.transactionId.startsWith('r');
        const isTold = !refunded && toldMinor !== undefined && toldMinor <= fact.amountMinor;
        const own = { ...fact, refunded: true, amountMinor: toldMinor ?? 0n };
        return [{ ...fact, refunded }, ...(isTold ? [own] : [])];
      });
      return fc.shuffledSubarray(sent, { minLength: sent.length });
    });

  it('is counted once, and keeps the payment that was answered, whatever comes later', () => {
    fc.assert(
      fc.property(reports, (drawn) => {
        db.exec('DELETE FROM payments; DELETE FROM refunds');
        const sent = drawn.map(arrivedAt);
        const answered = new Map<string, string>();
        for (const each of [...sent, ...sent]) {
          const before = answered.get(each.transactionId);
          const { matchedTo } = report(each) as Found;
          if (!isRefund(each)) continue;
          assert.equal(matchedTo, before ?? matchedTo);
          if (matchedTo !== undefined) answered.set(each.transactionId, matchedTo);
        }
        const left = sent
          .filter(({ refunded }) => !refunded)
          .map(({ transactionId: id, amountMinor }) => {
            const own = sumOf(sent, (each) => each.refunded === true && each.transactionId === id);
            const others = sumOf(
              sent,
              (each) => isRefund(each) && answered.get(each.transactionId) === id,
            );
            assert.ok(others <= amountMinor);
            return amountMinor - (own > others ? own : others);
          });
        assert.equal(
          revenue(),
          left.reduce((sum, each) => sum + each, 0n),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the same revenue in any order, if one payment or equal ones can be meant', () => {
    const cuts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { maxLength: 4 });
    const oneEach = cuts.map((amounts) => {
      const ofOne = amounts.map((amountMinor, index) => ({
        transactionId: `r${index}`,
        amountMinor,
      }));
      return [pays('p', 2_000n), ...ofOne.map(paysBack)];
    });
    const equal = fc
      .tuple(fc.nat(4), fc.nat(4))
      .map(([paid, back]) => [
        ...Array.from({ length: paid }, (_, index) => pays(`p${index}`, 900n)),
        ...Array.from({ length: back }, (_, index) =>
          paysBack({ transactionId: `r${index}`, amountMinor: 900n }),
        ),
      ]);
    fc.assert(
      fc.property(fc.oneof(oneEach, equal), fc.infiniteStream(fc.nat()), (sent, order) => {
        const [gross, back] = [false, true].map((refunded) =>
          sumOf(sent, (each) => each.refunded === refunded),
        ) as [bigint, bigint];
        const shuffled = sent
          .map((each) => [order.next().value ?? 0, each] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, each]) => each);
        afterAll(shuffled.map(arrivedAt));
        assert.equal(revenue(), gross > back ? gross - back : 0n);
      }),
      { numRuns: 500 },
    );
  });

  type Sent = Report & { readonly amountMinor: bigint };

  function sumOf(sent: readonly Sent[], which: (each: Sent) => boolean): bigint {
    return sent.filter(which).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  }

  function isRefund({ transactionId }: Report): boolean {
    return transactionId.startsWith('r');
  }

  function pays(transactionId: string, amountMinor: bigint) {
    return { transactionId, amountMinor, customerId: 'cus', refunded: false };
  }

  function paysBack(facts: { readonly transactionId: string; readonly amountMinor: bigint }) {
    return { ...facts, customerId: 'cus', refunded: true };
  }

  function permutations<T>(all: readonly T[]): T[][] {
    if (all.length < 2) return [[...all]];
    return all.flatMap((one) =>
      permutations(all.filter((each) => each !== one)).map((rest) => [one, ...rest]),
    );
  }

  function arrivedAt<T extends Report>(each: T, index: number): T {
    return { ...each, receivedAt: 20 * DAY + index };
  }

  function afterAll(reports: readonly Report[]): string[] {
    db.exec('DELETE FROM payments; DELETE FROM refunds');
    for (const each of reports) report(each);
    return warehouse();
  }
});
