import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../time/durations.ts';
import { matchRefunds } from './match-refunds.ts';
import type { PaidBack, UnnamedRefund } from './unnamed-refund.ts';

/** A payment of one customer, made on a day, of which reports of the total refunded say so much. */
function paid(id: string, amount: number, more: Partial<PaidBack> & { day?: number } = {}) {
  const { day = 1, ...facts } = more;
  return {
    ...{ transactionId: id, amountMinor: BigInt(amount), refundsMinor: 0n, totalMinor: 0n },
    ...{ totalFrom: 10 * DAY_MS, totalUntil: 10 * DAY_MS, paidAt: day * DAY_MS, isStated: false },
    ...{ keys: ['customer c'], ...facts },
  };
}

/** A refund that arrived on a day. */
function back(id: string, amount: number, more: Partial<UnnamedRefund> & { day?: number } = {}) {
  const { day = 10, ...facts } = more;
  return {
    ...{ transactionId: id, amountMinor: BigInt(amount), refundedAt: day * DAY_MS },
    ...{ statedUntil: undefined, keys: ['customer c'], matchedTo: undefined, ...facts },
  };
}

function matchesOf(payments: readonly PaidBack[], refunds: readonly UnnamedRefund[]): string[] {
  return [...matchRefunds(payments, refunds)].map((each) => each.join(' ')).toSorted();
}

describe('matching refunds', () => {
  it('moves nothing among other payments when somebody buys again', () => {
    const first = paid('first', 30, { keys: ['customer c'] });
    const second = paid('second', 30, { keys: ['visitor v'] });
    const next = paid('next', 200, { day: 9 });
    const matched = back('r', 30, { keys: ['customer c', 'visitor v'], matchedTo: 'first' });
    const waiting = back('s', 30);
    const all = [first, second, next];
    const found = (purchase?: string) =>
      [...matchRefunds(all, [matched, back('t', 200), waiting], purchase)].map(String).toSorted();
    assert.deepEqual(found('next'), ['r,first', 't,next']);
    assert.deepEqual(found(), ['r,second', 's,first', 't,next']);
  });

  const a = paid('a', 100);
  const b = paid('b', 100, { day: 2 });
  const cases: readonly [string, PaidBack[], UnnamedRefund[], string[]][] = [
    ['the latest of equal payments is taken', [a, b], [back('r', 100)], ['r b']],
    ['the latest with room is taken', [a, paid('c', 70, { day: 3 })], [back('r', 50)], ['r c']],
    ['a full refund is of its amount', [a, paid('c', 500, { day: 3 })], [back('r', 100)], ['r a']],
    ['other customers are others', [a], [back('r', 1, { keys: ['customer d'] })], []],
    ['a match stays', [a, b], [back('r', 100, { matchedTo: 'a' })], ['r a']],
    [
      'named refunds come first',
      [paid('a', 100, { refundsMinor: 1n }), b],
      [back('r', 100, { matchedTo: 'a' })],
      ['r b'],
    ],
    [
      'what explains a total belongs to it',
      [paid('a', 100, { totalMinor: 50n }), b],
      [back('r', 30, { matchedTo: 'b' }), back('s', 20, { matchedTo: 'b' })],
      ['r a', 's a'],
    ],
    [
      'one refund that explains all comes before several, and those before a part',
      [paid('a', 50, { totalMinor: 50n }), b],
      [back('r', 30, { matchedTo: 'a' }), back('s', 20, { matchedTo: 'a' }), back('t', 50)],
      ['r b', 's b', 't a'],
    ],
    [
      'a total is not explained by refunds of another time',
      [paid('a', 100, { totalMinor: 40n }), b],
      [back('r', 40, { day: 20 })],
      ['r b'],
    ],
    [
      'a match moves so that another fits',
      [paid('a', 10), paid('b', 20)],
      [back('r', 10, { matchedTo: 'b' }), back('s', 20)],
      ['r a', 's b'],
    ],
    [
      'no match moves to a later purchase',
      [paid('a', 10, { day: 11 }), paid('b', 20)],
      [back('r', 10, { matchedTo: 'b' }), back('s', 20)],
      ['r b'],
    ],
  ];
  for (const [rule, payments, refunds, expected] of cases) {
    it(rule, () => {
      assert.deepEqual(matchesOf(payments, refunds), expected);
      assert.deepEqual(matchesOf(payments.toReversed(), refunds.toReversed()), expected);
    });
  }

  const amounts = fc.constantFrom(1, 2, 3, 5, 8);
  const payments = fc
    .array(fc.record({ amount: amounts, named: fc.nat(8), total: fc.nat(8), day: fc.nat(12) }), {
      maxLength: 5,
    })
    .map((drawn) =>
      drawn.map(({ amount, named, total, day }, index) =>
        paid(`p${index}`, amount, {
          day,
          refundsMinor: BigInt(Math.min(named > 4 ? named : 0, amount)),
          totalMinor: BigInt(Math.min(total > 3 ? total : 0, amount)),
        }),
      ),
    );
  const refunds = fc
    .array(fc.record({ amount: amounts, day: fc.integer({ min: 8, max: 12 }) }), { maxLength: 6 })
    .map((drawn) => drawn.map(({ amount, day }, index) => back(`r${index}`, amount, { day })));
  const again = (of: readonly UnnamedRefund[], found: ReadonlyMap<string, string>) =>
    of.map((each) => ({ ...each, matchedTo: found.get(each.transactionId) }));

  it('matches each at most once, and never more than a payment has left', () => {
    fc.assert(
      fc.property(payments, refunds, (all, backs) => {
        const found = matchRefunds(all, backs);
        for (const payment of all) {
          const own = backs.filter(
            (each) => found.get(each.transactionId) === payment.transactionId,
          );
          const sum = own.reduce((total, each) => total + each.amountMinor, payment.refundsMinor);
          assert.ok(sum <= payment.amountMinor);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing when it is done again, nor when the customer buys again', () => {
    fc.assert(
      fc.property(payments, refunds, amounts, (all, backs, amount) => {
        const found = matchRefunds(all, backs);
        const settled = again(backs, found);
        assert.deepEqual(new Map(matchRefunds(all, settled)), new Map(found));
        const more = matchRefunds([...all, paid('next', amount, { day: 13 })], settled);
        for (const [refundId, paymentId] of found) assert.equal(more.get(refundId), paymentId);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a place for all that once had one', () => {
    const histories = fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 12 }),
        cuts: fc.array(amounts, { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat()), (drawn, order) => {
        const all = drawn.map(({ amount }, index) => paid(`p${index}`, amount));
        const backs = drawn.flatMap(({ amount, cuts }, index) => {
          let left = amount;
          return cuts.flatMap((cut, part) => {
            if (cut > left) return [];
            left -= cut;
            return [back(`r${index}-${part}`, cut)];
          });
        });
        const inOrder = backs
          .map((each) => [order.next().value ?? 0, each] as const)
          .toSorted(([x], [y]) => x - y)
          .map(([, each]) => each);
        let found: ReadonlyMap<string, string> = new Map();
        for (const [index] of inOrder.entries()) {
          found = matchRefunds(all, again(inOrder.slice(0, index + 1), found));
        }
        assert.equal(found.size, backs.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is quick with many of one customer', () => {
    const all = Array.from({ length: 2_000 }, (_, index) =>
      paid(`p${index}`, 10, { totalMinor: index % 2 === 0 ? 5n : 0n }),
    );
    const backs = Array.from({ length: 1_000 }, (_, index) => back(`r${index}`, (index % 9) + 1));
    const began = process.threadCpuUsage();
    const found = matchRefunds(all, backs);
    assert.ok(process.threadCpuUsage(began).user < 2_000_000);
    assert.ok(found.size >= 200);
  });
});
