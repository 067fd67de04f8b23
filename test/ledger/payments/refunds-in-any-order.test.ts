import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openInMemory } from '../open-in-memory.ts';

const SITE = 'site_1';

let db: Database;
let clock: number;
before(async () => {
  db = await openInMemory();
});
after(() => db.close());
beforeEach(clear);

async function clear() {
  await db.exec('DELETE FROM payments; DELETE FROM refunds');
  clock = Date.UTC(2026, 10, 20);
}

/** One customer's report: `P a 10` a payment, `R r 10` a refund; `of a` names its payment, `@10-20` is its date. */
async function send(text: string) {
  const [, kind, transactionId = '', amount, ...rest] =
    /^([PR]) (\w+) (\d+)(?: of (\w+))?(?: @(\S+))?$/.exec(text) ?? [];
  const [originalTransactionId, date] = rest;
  const at = date === undefined ? undefined : Date.parse(`2026-${date}T10:00:00Z`);
  const refunded = kind === 'R';
  clock += 1_000;
  const report = {
    ...{ transactionId, amountMinor: BigInt(amount ?? ''), currency: 'USD', customerId: 'cus' },
    ...{ renewal: false, refunded, originalTransactionId, receivedAt: clock },
    ...(refunded ? { refundedAt: at } : { paidAt: at }),
  };
  const [outcome] = await createCommitEntries(db)([
    { kind: 'payment', siteId: SITE, report, claim: undefined },
  ]);
  return outcome;
}

async function sendAll(...texts: string[]) {
  for (const text of texts) assert.equal((await send(text))?.kind, 'recorded', text);
}

/** Payments less refunds, as the warehouse has them. */
async function revenue(): Promise<number> {
  const payments = await findPayments(db, { after: 0, upTo: LAST_VERSION });
  const rows = payments.flatMap(projectPayment).filter((row) => row.is_deleted === undefined);
  return rows.reduce(
    (sum, { kind, amount_minor }) => sum + Number(amount_minor) * (kind === 'refund' ? -1 : 1),
    0,
  );
}

/** Matched refunds with their payments: `r a`. */
async function matches(): Promise<string[]> {
  const rows = await db.arrays(
    'SELECT transaction_id, original_transaction_id FROM refunds WHERE matched = 1',
  );
  return rows.map((row) => row.join(' ')).toSorted();
}

async function leavesInEveryOrder(expected: number, ...texts: string[]) {
  for (const order of permutations(texts)) {
    await clear();
    await sendAll(...order);
    assert.equal(await revenue(), expected, order.join(', '));
  }
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one) =>
    permutations(all.filter((each) => each !== one)).map((rest) => [one, ...rest]),
  );
}

describe('a total refunded and refunds of the same money', () => {
  it('count once, although the total grows and the customer has a later payment', async () => {
    for (const [b, first, second, left] of [
      [30, 30, 20, 80],
      [100, 50, 50, 100],
    ] as const) {
      await clear();
      await sendAll('P a 100 @10-20', `P b ${b} @10-25`);
      await sendAll(`R a ${first} @11-01`, `R re1 ${first} @11-01`);
      await sendAll(`R a ${first + second} @11-10`, `R re2 ${second} @11-10`);
      assert.deepEqual(await matches(), ['re1 a', 're2 a']);
      assert.equal(await revenue(), left);
    }
  });

  it('count once in every order, with dates', async () => {
    const first = ['P a 100 @10-20', 'R a 30 @11-01', 'R re1 30 @11-01'];
    for (const order of permutations([...first, 'R a 50 @11-10', 'R re2 20 @11-10'])) {
      await clear();
      await sendAll('P b 30 @10-25', ...order);
      assert.equal(await revenue(), 80, order.join(', '));
    }
  });

  it('count once in every order, without dates', async () => {
    await leavesInEveryOrder(18, 'P jan 9', 'P feb 9', 'P mar 9', 'R re1 9', 'R feb 9');
    await leavesInEveryOrder(100, 'P a 100', 'P b 100', 'R re1 100', 'R a 100');
    await leavesInEveryOrder(150, 'P a 100', 'P b 100', 'R a 50', 'R r1 30', 'R r2 20');
  });

  it('are the one that explains all of it, whichever comes first', async () => {
    await leavesInEveryOrder(120, 'P a 100', 'P b 100', 'R a 50', 'R r1 50', 'R r2 30');
  });

  it('leave a refund of another time to another payment', async () => {
    await sendAll('P a 100 @10-20', 'P b 100 @10-25', 'R a 40 @11-01', 'R re1 40 @11-10');
    assert.deepEqual(await matches(), ['re1 b']);
  });
});

describe('consistent reports', () => {
  /** Payments with refunds, of which some name them and the first ones are in totals. No two sets of refunds have the same sum. */
  const histories = fc
    .array(
      fc.record({
        refunds: fc.array(
          fc.record({ isNamed: fc.boolean(), day: fc.integer({ min: 4, max: 6 }) }),
          {
            maxLength: 3,
          },
        ),
        inTotals: fc.nat(3),
        kept: fc.constantFrom(0, 0, 5, 700),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((drawn) => {
      let cut = 1;
      return drawn.map(({ refunds, inTotals, kept }, index) => {
        const cuts = refunds.map((each) => {
          cut *= 2;
          return { ...each, cut };
        });
        const sumOf = (count: number) =>
          cuts.slice(0, count).reduce((sum, each) => sum + each.cut, 0);
        const id = `p${index}`;
        return {
          left: kept,
          texts: [
            `P ${id} ${sumOf(cuts.length) + kept} @10-0${index + 1}`,
            ...cuts.map(
              (each) =>
                `R r${each.cut} ${each.cut}${each.isNamed ? ` of ${id}` : ''} @11-0${each.day}`,
            ),
            ...cuts
              .slice(0, inTotals)
              .map(({ day }, part) => `R ${id} ${sumOf(part + 1)} @11-0${day}`),
          ],
        };
      });
    });

  it('leave the same revenue in every order, and named refunds where they were named', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat()), async (drawn, order) => {
        const texts = drawn
          .flatMap((each) => each.texts)
          .map((text) => [order.next().value ?? 0, text] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, text]) => text);
        await clear();
        for (const text of texts) {
          assert.notEqual((await send(text))?.kind, 'transaction_conflict', text);
        }
        const left = drawn.reduce((sum, each) => sum + each.left, 0);
        assert.equal(await revenue(), left, texts.join(', '));
        const named = await db.arrays(
          'SELECT transaction_id, original_transaction_id FROM refunds WHERE matched = 0',
        );
        for (const [id, paymentId] of named) {
          assert.ok(
            texts.some((text) => text.includes(`R ${id} `) && text.includes(`of ${paymentId}`)),
          );
        }
        assert.equal(named.length, texts.filter((text) => text.includes(' of ')).length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a match', () => {
  it('gives way to a refund that names its payment', async () => {
    await sendAll('P a 10', 'P b 10', 'R r1 10');
    assert.deepEqual(await matches(), ['r1 b']);
    await sendAll('R r2 10 of b');
    assert.deepEqual(await matches(), ['r1 a']);
    assert.equal(await revenue(), 0);
    const outcome = await send('R r3 10 of b');
    assert.equal(outcome?.kind, 'transaction_conflict', 'two statements contradict each other');
  });

  it('gives way although no other payment has room', async () => {
    await sendAll('P a 10', 'R r1 10', 'R r2 10 of a');
    assert.deepEqual(await matches(), []);
    assert.equal(await revenue(), 0);
    await sendAll('P b 10');
    assert.deepEqual(await matches(), ['r1 b']);
  });

  it('gives way when its own refund names the payment of another match', async () => {
    await sendAll('P a 10', 'P b 10', 'R r1 10', 'R r2 10');
    assert.deepEqual(await matches(), ['r1 b', 'r2 a']);
    await sendAll('R r1 10 of a');
    assert.deepEqual(await matches(), ['r2 b']);
    assert.equal(await revenue(), 0);
  });

  it('moves as a last resort, so that one more refund fits', async () => {
    await sendAll('P a 10', 'P b 6', 'R r1 5', 'R r2 6', 'R r3 5');
    assert.equal(await revenue(), 0);
    await clear();
    await sendAll('P a 5', 'P b 7', 'R r1 3', 'R r2 4', 'R r3 5');
    assert.equal(await revenue(), 0);
    await leavesInEveryOrder(
      0,
      'P b 20 @11-05',
      'R r1 10 @11-06',
      'P a 10 @11-01',
      'R r2 20 @11-06',
    );
  });

  it('does not move when the customer buys again, although an unmatched refund would fit then', async () => {
    await sendAll('P b 20', 'R r1 10', 'R r2 20', 'P a 10');
    assert.deepEqual(await matches(), ['r1 b']);
  });
});
