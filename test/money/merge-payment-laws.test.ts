import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PaymentReport, totalsOf } from '#domain/money/payment-record.ts';
import { type Book, bookOf, pays, refundsBy, refundsOwn } from './payment-book.ts';

/** Reports of one payment and its refunds, as callers send them: few ids, so that they meet. */
const reports = fc.array(
  fc.record(
    {
      transactionId: fc.constantFrom('tx', 'ty', 'r1', 'r2'),
      amountMinor: fc.constantFrom(0n, 30n, 50n, 100n),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
      renewal: fc.boolean(),
      refunded: fc.boolean(),
      receivedAt: fc.nat(9),
      visitorId: fc.constantFrom('v1', 'v2'),
      email: fc.constantFrom('a@example.com', 'b@example.com'),
      paidAt: fc.nat(9),
      refundedAt: fc.nat(9),
      originalTransactionId: fc.constantFrom('tx', 'ty'),
    },
    {
      requiredKeys: [
        'transactionId',
        'amountMinor',
        'currency',
        'renewal',
        'refunded',
        'receivedAt',
      ],
    },
  ),
  { maxLength: 8 },
);

describe('the laws of merging', () => {
  it('the order of arrival changes nothing among reports that are all accepted', () => {
    const orders = reports.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(orders, ([list, shuffled]) => {
        const book = bookOf(list);
        const other = bookOf(shuffled);
        fc.pre(book.refusals.length === 0 && other.refusals.length === 0);
        assert.deepEqual(sorted(other), sorted(book));
      }),
      { numRuns: 3_000, maxSkipsPerRun: 1_000 },
    );
  });

  it('a consistent history is accepted in every order', () => {
    const histories = fc
      .record({
        gross: fc.nat(1_000),
        cuts: fc.array(fc.nat(300), { maxLength: 4 }),
      })
      .map(({ gross, cuts }) => {
        const refunds: PaymentReport[] = [];
        let left = gross;
        for (const [index, cut] of cuts.entries()) {
          const amount = Math.min(cut, left);
          left -= amount;
          const told = { transactionId: `r${index}`, receivedAt: index, refundedAt: 7 - index };
          refunds.push(refundsBy(told.transactionId, BigInt(amount), told));
          for (const soFar of [amount, amount >> 1]) {
            refunds.push(refundsOwn(BigInt(soFar), { ...told, receivedAt: 3, visitorId: 'v' }));
          }
        }
        const whole = BigInt(gross);
        return [pays({ amountMinor: whole }), refundsOwn(whole, { receivedAt: 5 }), ...refunds];
      })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length }),
        ),
      );
    fc.assert(
      fc.property(histories, ([inOrder, history]) => {
        const book = bookOf(history);
        assert.deepEqual(book.refusals, []);
        assert.deepEqual(sorted(book), sorted(bookOf(inOrder)));
        const payment = book.payments.get('tx');
        assert.ok(payment !== undefined);
        const { grossMinor, refundedMinor } = totalsOf(payment);
        assert.equal(grossMinor, refundedMinor);
      }),
    );
  });

  it('refunds never exceed their payment, whatever is reported', () => {
    fc.assert(
      fc.property(reports, (list) => {
        for (const payment of bookOf(list).payments.values()) {
          const { grossMinor, ownRefundMinor = 0n, refundedMinor } = totalsOf(payment);
          assert.ok(ownRefundMinor >= 0n && refundedMinor <= grossMinor);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('a refund with an id of its own is in its payment exactly once', () => {
    fc.assert(
      fc.property(reports, (list) => {
        const { payments, refunds } = bookOf(list);
        for (const [id, payment] of payments) {
          const own = [...refunds.values()].filter((r) => r.originalTransactionId === id);
          const sum = own.reduce((total, refund) => total + refund.amountMinor, 0n);
          assert.equal(payment.otherRefundsMinor, sum);
        }
      }),
    );
  });

  it('a report that was accepted changes nothing when it comes again', () => {
    fc.assert(
      fc.property(reports, (list) => {
        const book = bookOf(list);
        fc.pre(book.refusals.length === 0);
        assert.deepEqual(bookOf([...list, ...list]), book);
      }),
    );
  });
});

function sorted({ payments, refunds }: Book) {
  const byId = (a: readonly [string, unknown], b: readonly [string, unknown]) =>
    a[0] < b[0] ? -1 : 1;
  return { payments: [...payments].toSorted(byId), refunds: [...refunds].toSorted(byId) };
}
