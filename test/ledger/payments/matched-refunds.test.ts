import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { PaymentRow } from '#contract/rows/payment-row.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findSubject } from '#ledger/erasure/erase-person.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openInMemory } from '../open-in-memory.ts';

const SITE = 'site_1';

let db: Database;
beforeEach(async () => {
  db = await openInMemory();
});
afterEach(() => db.close());

type Report = Partial<PaymentReport> & { readonly transactionId: string };

async function report(facts: Report) {
  const defaults = { amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false };
  const [outcome] = await createCommitEntries(db)([
    {
      kind: 'payment',
      siteId: SITE,
      report: { ...defaults, receivedAt: DAY_MS, ...facts },
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
async function warehouse(): Promise<string[]> {
  const rows = new Map<string, string>();
  for (const payment of await findPayments(db, { after: 0, upTo: LAST_VERSION }, 1_000)) {
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
  const what = `${kind} ${id}${of === undefined ? '' : ` of ${of}`}`;
  return `${what} ${amount} ${visitor}`.trim();
}

/** Payments less refunds, as the warehouse has them. */
async function revenue(): Promise<bigint> {
  return (await warehouse()).reduce((sum, row) => {
    const [, amount = ''] = / (\d+)(?: v\d*)?$/.exec(row) ?? [];
    return row.startsWith('refund') ? sum - BigInt(amount) : sum + BigInt(amount);
  }, 0n);
}

describe('a refund that names no payment', () => {
  it('is the refund of the one payment of its customer, e-mail address or visitor', async () => {
    for (const [index, who] of [
      { customerId: 'c' },
      { email: 'a@shop.example' },
      { visitorId: 'v' },
    ].entries()) {
      await pay(`p${index}`, { customerId: undefined, amountMinor: 2_000n, ...who });
      const outcome = await refund(`r${index}`, { customerId: undefined, ...who });
      assert.deepEqual(outcome, { kind: 'recorded', matchedTo: `p${index}` });
    }
    assert.deepEqual(await warehouse(), [
      'payment p0 2000',
      'payment p1 2000',
      'payment p2 2000 v',
      'refund r0 of p0 1000',
      'refund r1 of p1 1000',
      'refund r2 of p2 1000 v',
    ]);
  });

  it('matches when it comes first, and when its payment gets its visitor later', async () => {
    assert.deepEqual(await refund('r'), { kind: 'recorded', isUnmatched: true });
    assert.deepEqual(await warehouse(), []);
    await pay('p');
    assert.deepEqual(await refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    await pay('p', { visitorId: 'v' });
    assert.deepEqual(await warehouse(), ['payment p 1000 v', 'refund r of p 1000 v']);
  });

  it('stays unmatched with no possible payment', async () => {
    await pay('smaller', { amountMinor: 999n });
    await pay('other-money', { currency: 'USD' });
    await pay('other-customer', { customerId: 'another' });
    await pay('much-later', { paidAt: 10 * DAY_MS });
    assert.deepEqual(await refund('r'), { kind: 'recorded', isUnmatched: true });
    await pay('p');
    assert.deepEqual(await refund('r'), { kind: 'unchanged', matchedTo: 'p' });
  });

  it('keeps its payment when the customer buys again', async () => {
    await pay('p');
    assert.deepEqual(await refund('r'), { kind: 'recorded', matchedTo: 'p' });
    await pay('q');
    assert.deepEqual(await refund('r'), { kind: 'unchanged', matchedTo: 'p' });
    assert.equal(await revenue(), 1_000n);
  });

  it('is one of several of a payment, up to its amount', async () => {
    await pay('p');
    for (const [id, amountMinor] of [
      ['r1', 300n],
      ['r2', 400n],
    ] as const) {
      assert.deepEqual(await refund(id, { amountMinor }), { kind: 'recorded', matchedTo: 'p' });
    }
    assert.equal(await revenue(), 300n);
    assert.deepEqual(await refund('r3', { amountMinor: 301n }), {
      kind: 'recorded',
      isUnmatched: true,
    });
    assert.deepEqual(await refund('r4', { amountMinor: 300n }), {
      kind: 'recorded',
      matchedTo: 'p',
    });
    assert.equal(await revenue(), 0n);
  });

  it('is of the latest of equal payments before it', async () => {
    await pay('p', { paidAt: 3 * DAY_MS });
    await pay('q', { paidAt: 5 * DAY_MS });
    await pay('s', { paidAt: 9 * DAY_MS });
    const at = { refundedAt: 6 * DAY_MS };
    assert.deepEqual(await refund('r', at), { kind: 'recorded', matchedTo: 'q' });
    assert.equal(await revenue(), 2_000n);
    assert.deepEqual(await refund('r2', at), { kind: 'recorded', matchedTo: 'p' });
    assert.deepEqual(await refund('r3', at), { kind: 'recorded', isUnmatched: true });
    assert.equal(await revenue(), 1_000n);
  });

  it('leaves larger payments to larger refunds, whichever came first', async () => {
    const reports = [
      () => pay('small'),
      () => pay('large', { amountMinor: 2_000n }),
      () => refund('r-small', { receivedAt: 2 * DAY_MS }),
      () => refund('r-large', { amountMinor: 2_000n, receivedAt: 3 * DAY_MS }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      await db.exec('DELETE FROM payments; DELETE FROM refunds');
      for (const send of order) await send();
      assert.deepEqual(await warehouse(), [
        'payment large 2000',
        'payment small 1000',
        'refund r-large of large 2000',
        'refund r-small of small 1000',
      ]);
    }
  });

  it('is the same money as a report of the total refunded, in any order', async () => {
    const reports: Report[] = [
      { transactionId: 'p', amountMinor: 10_000n },
      { transactionId: 'p', amountMinor: 5_000n, refunded: true },
      { transactionId: 're_1', amountMinor: 3_000n, refunded: true },
      { transactionId: 're_2', amountMinor: 2_000n, refunded: true },
    ];
    for (const order of permutations(reports)) {
      await afterAll(order.map((each) => ({ ...each, customerId: 'cus' })));
      assert.equal(await revenue(), 5_000n, order.map((each) => each.transactionId).join());
      assert.equal((await refund('re_2', { amountMinor: 2_000n }))?.kind, 'unchanged');
    }
  });

  it('is first of a payment that was refunded at that time by a report of its own', async () => {
    const told = { refunded: true, refundedAt: 20 * DAY_MS };
    for (const [at, matchedTo] of [
      [21 * DAY_MS, 'told'],
      [40 * DAY_MS, 'other'],
    ] as const) {
      await db.exec('DELETE FROM payments; DELETE FROM refunds');
      await pay('told', { paidAt: 10 * DAY_MS });
      await pay('told', told);
      await pay('other', { paidAt: 15 * DAY_MS });
      assert.deepEqual(await refund('r', { refundedAt: at }), { kind: 'recorded', matchedTo });
    }
    const late = { receivedAt: 50 * DAY_MS };
    assert.deepEqual(await refund('again', late), { kind: 'recorded', matchedTo: 'told' });
    assert.equal(await revenue(), 0n);
  });

  it('that grows stays with its payment, or goes to one that has enough', async () => {
    await pay('p');
    await pay('q', { amountMinor: 9_000n });
    await refund('r', { amountMinor: 300n });
    assert.deepEqual(await refund('r', { amountMinor: 400n, visitorId: 'v' }), {
      kind: 'recorded',
      matchedTo: 'p',
    });
    assert.equal(await revenue(), 9_600n);
    const grown = { matchedTo: 'q', hasOtherVisitor: true }; // The report before named one.
    assert.deepEqual(await refund('r', { amountMinor: 1_001n }), { kind: 'recorded', ...grown });
    assert.equal(await revenue(), 8_999n);
    assert.deepEqual(await refund('r', { amountMinor: 400n }), { kind: 'unchanged', ...grown });
    const outcome = await refund('r', { amountMinor: 9_001n });
    assert.deepEqual(outcome, { kind: 'recorded', isUnmatched: true, hasOtherVisitor: true });
    assert.equal(await revenue(), 10_000n);
  });

  it('is of no payment that is stated to be later, in any order of arrival', async () => {
    const noon = 10.5 * DAY_MS;
    const reports = [
      () => pay('p', { paidAt: noon }),
      () => refund('r', { refundedAt: noon + 2 * DAY_MS }),
      () => pay('next', { paidAt: noon + 2 * DAY_MS + 1 }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      await db.exec('DELETE FROM payments; DELETE FROM refunds');
      for (const send of order) await send();
      const again = await refund('r', { receivedAt: 20 * DAY_MS });
      assert.deepEqual(again, { kind: 'unchanged', matchedTo: 'p' });
    }
  });

  it('without a time is of no payment that is stated to be later than its arrival', async () => {
    await pay('p', { paidAt: 9 * DAY_MS, receivedAt: 10 * DAY_MS });
    await refund('r', { receivedAt: 11 * DAY_MS });
    await pay('again', { paidAt: 11 * DAY_MS + 1, receivedAt: 11 * DAY_MS + 1 });
    assert.deepEqual(await refund('r', { receivedAt: 12 * DAY_MS }), {
      kind: 'unchanged',
      matchedTo: 'p',
    });
  });

  it('that waited for its payment competes by what was stated, not by arrival', async () => {
    const paid = { transactionId: 'p', amountMinor: 2_000n, paidAt: 8 * DAY_MS };
    const early = { transactionId: 'early', refunded: true, refundedAt: 9 * DAY_MS };
    const late = { ...early, transactionId: 'late', refundedAt: 10 * DAY_MS };
    const large = { transactionId: 'large', refunded: true, amountMinor: 1_500n };
    for (const order of permutations<Report>([early, late, large])) {
      const ofCustomer = [...order, paid].map((each) => ({ ...each, customerId: 'cus' }));
      assert.deepEqual(
        (await afterAll(ofCustomer.map(arrivedAt))).filter((row) => row.includes('of p')),
        ['refund early of p 1000', 'refund late of p 1000'],
      );
    }
  });

  it('is matched among thousands of payments of its customer', async () => {
    for (let index = 0; index < 2_000; index += 1) await pay(`p${index}`);
    assert.deepEqual(await refund('r', { amountMinor: 1_500n }), {
      kind: 'recorded',
      isUnmatched: true,
    });
    await pay('large', { amountMinor: 2_000n });
    assert.deepEqual(await refund('r', { amountMinor: 1_500n }), {
      kind: 'unchanged',
      matchedTo: 'large',
    });
  });

  it('of nothing takes no payment but one of nothing', async () => {
    await pay('p');
    assert.deepEqual(await refund('nothing', { amountMinor: 0n }), {
      kind: 'recorded',
      isUnmatched: true,
    });
    assert.deepEqual(await refund('r'), { kind: 'recorded', matchedTo: 'p' });
    await pay('trial', { amountMinor: 0n });
    assert.deepEqual(await refund('nothing', { amountMinor: 0n }), {
      kind: 'unchanged',
      matchedTo: 'trial',
    });
  });

  it('of a date without a time may be of a payment on that day', async () => {
    await refund('r', { refundedAt: 10 * DAY_MS });
    await pay('next-day', { paidAt: 11 * DAY_MS });
    await pay('p', { paidAt: 11 * DAY_MS - 1 });
    assert.deepEqual(await refund('r', { receivedAt: 20 * DAY_MS }), {
      kind: 'unchanged',
      matchedTo: 'p',
    });
  });

  it('is erased with the visitor of its payment, though it names the address alone', async () => {
    await pay('p', { visitorId: 'v', email: 'a@shop.example' });
    await refund('r', { customerId: undefined, email: 'a@shop.example' });
    assert.deepEqual((await findSubject(db, SITE, 'v', 'visitor')).transactions, ['p', 'r']);
  });

  it('is not matched by placeholders', async () => {
    await pay('p', { customerId: 'null', email: 'test@test.com' });
    assert.deepEqual(await refund('r', { customerId: 'null', email: 'test@test.com' }), {
      kind: 'recorded',
      isUnmatched: true,
    });
  });

  it('follows a later report that names its payment, or that reports a payment', async () => {
    await pay('p');
    await pay('q', { customerId: 'another' });
    await refund('r');
    assert.deepEqual(await refund('s'), { kind: 'recorded', isUnmatched: true });
    const refundOf = { transactionId: 'q', isKnown: true };
    assert.deepEqual(await refund('r', { originalTransactionId: 'q' }), {
      kind: 'recorded',
      refundOf,
    });
    assert.deepEqual(await refund('s'), { kind: 'unchanged', matchedTo: 'p' }, 'p is free again');
    await pay('s');
    assert.deepEqual(await warehouse(), [
      'payment p 1000',
      'payment q 1000',
      'payment s 1000',
      'refund r of q 1000',
      'refund s of s 1000',
    ]);
  });

  it('differs from one whose named payment is not reported yet', async () => {
    const refundOf = { transactionId: 'p', isKnown: false };
    const sent = () => refund('r', { originalTransactionId: 'p' });
    assert.deepEqual(await sent(), { kind: 'recorded', refundOf });
    await pay('p');
    assert.deepEqual(await sent(), { kind: 'unchanged', refundOf: { ...refundOf, isKnown: true } });
  });

  it('is none once another refund names it as its payment, in any order of arrival', async () => {
    const reports = [
      () => pay('p', { amountMinor: 2_000n }),
      () => refund('x', { amountMinor: 500n }),
      () => refund('r', { amountMinor: 300n, originalTransactionId: 'x' }),
    ];
    for (const order of [reports, reports.toReversed()]) {
      await db.exec('DELETE FROM payments; DELETE FROM refunds');
      for (const send of order) await send();
      assert.deepEqual(await warehouse(), ['payment p 2000']);
    }
    await pay('x', { amountMinor: 500n });
    assert.deepEqual(await warehouse(), [
      ...['payment p 2000', 'payment x 500', 'refund r of x 300', 'refund x of x 200'],
    ]);
  });

  it('gets the same answer again under its Idempotency-Key', async () => {
    await pay('p');
    const claim = { key: 'k', bodyDigest: 'd', answer: '{"message":"Refund recorded."}' };
    const entry = {
      kind: 'payment' as const,
      siteId: SITE,
      report: {
        ...{ transactionId: 'r', amountMinor: 1_000n, currency: 'EUR', customerId: 'cus' },
        ...{ renewal: false, refunded: true, receivedAt: DAY_MS },
      },
      claim: { ...claim, subject: 'r' },
    };
    await createCommitEntries(db)([entry]);
    assert.deepEqual(await createCommitEntries(db)([entry]), [
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
        paidAt: fc.constantFrom(DAY_MS, 9 * DAY_MS, undefined),
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

  /** The next payment brings together p2 and p4, of which one has a total that a refund of the other explains. */
  const bridged = () => {
    const ofOne = {
      customerId: 'c1',
      email: 'a@b.example',
      visitorId: 'v1',
      paidAt: DAY_MS,
    } as const;
    const ofOther = { ...ofOne, customerId: undefined, visitorId: 'v2' } as const;
    const pays300 = { amountMinor: 300n, refunded: false };
    const paysBack300 = { amountMinor: 300n, refunded: true };
    return [
      { ...ofOne, ...pays300, transactionId: 'p2', email: undefined },
      { ...ofOne, ...paysBack300, transactionId: 'r5', paidAt: undefined },
      { ...ofOne, ...pays300, transactionId: 'p1' },
      { ...ofOne, ...paysBack300, transactionId: 'r2', amountMinor: 1_000n, visitorId: 'v2' },
      { ...ofOne, ...paysBack300, transactionId: 'r4' },
      { ...ofOne, ...paysBack300, transactionId: 'r3' },
      { ...ofOther, ...paysBack300, transactionId: 'p4' },
      { ...ofOther, ...pays300, transactionId: 'p4' },
    ] as const;
  };

  it('is counted once, whatever comes, and keeps its payment when the customer buys again', async () => {
    await fc.assert(
      fc.asyncProperty(reports, async (drawn) => {
        await db.exec('DELETE FROM payments; DELETE FROM refunds');
        const sent: Sent[] = drawn.map(arrivedAt);
        for (const each of [...sent, ...sent]) await report(each);
        const before = await matches();
        sent.push(arrivedAt({ ...pays('p9', 2_000n), customerId: 'c1', visitorId: 'v2' }, 99));
        for (const each of sent.slice(-1)) await report(each);
        const after = await matches();
        for (const [refundId, paymentId] of before) assert.equal(after.get(refundId), paymentId);
        const left = sent
          .filter(({ refunded }) => !refunded)
          .map(({ transactionId: id, amountMinor }) => {
            const own = sumOf(sent, (each) => each.refunded === true && each.transactionId === id);
            const isOthers = ({ transactionId }: Sent) => after.get(transactionId) === id;
            const others = sumOf(sent, isOthers);
            assert.ok(others <= amountMinor);
            return amountMinor - (own > others ? own : others);
          });
        assert.equal(
          await revenue(),
          left.reduce((sum, each) => sum + each, 0n),
        );
      }),
      { numRuns: howMany(500), examples: [[[...bridged()]]] },
    );
  });

  it('leaves the same revenue in any order, if one payment or equal ones can be meant', async () => {
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
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(oneEach, equal),
        fc.infiniteStream(fc.nat()),
        async (sent, order) => {
          const [gross, back] = [false, true].map((refunded) =>
            sumOf(sent, (each) => each.refunded === refunded),
          ) as [bigint, bigint];
          const shuffled = sent
            .map((each) => [order.next().value ?? 0, each] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, each]) => each);
          await afterAll(shuffled.map(arrivedAt));
          assert.equal(await revenue(), gross > back ? gross - back : 0n);
        },
      ),
      { numRuns: howMany(500) },
    );
  });

  type Sent = Report & { readonly amountMinor: bigint };

  function sumOf(sent: readonly Sent[], which: (each: Sent) => boolean): bigint {
    return sent.filter(which).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  }

  /** The payments by their matched refunds. */
  async function matches(): Promise<ReadonlyMap<string, string>> {
    const rows = await db.arrays(
      'SELECT transaction_id, original_transaction_id FROM refunds WHERE matched = 1',
    );
    return new Map(rows.map(([refundId, paymentId]) => [String(refundId), String(paymentId)]));
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
    return { ...each, receivedAt: 20 * DAY_MS + index };
  }

  async function afterAll(reports: readonly Report[]): Promise<string[]> {
    await db.exec('DELETE FROM payments; DELETE FROM refunds');
    for (const each of reports) await report(each);
    return warehouse();
  }
});
