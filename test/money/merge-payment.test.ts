import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ownRefundAtOf,
  type PaymentReport,
  paidAtOf,
  refundAtOf,
  totalsOf,
} from '#domain/money/payment-record.ts';
import { bookOf, pays, refundsBy, refundsOwn } from './payment-book.ts';

/** Gross, the refund under the payment's own id, and all refunds, of the payment `tx`. */
/** A refund of a payment that is not named. */
const bareRefund = (amountMinor: bigint) => refundsOwn(amountMinor, { transactionId: 'r1' });

function totals(...reports: PaymentReport[]) {
  const book = bookOf(reports);
  assert.deepEqual(book.refusals, []);
  const payment = book.payments.get('tx');
  assert.ok(payment !== undefined);
  const { grossMinor, ownRefundMinor, refundedMinor } = totalsOf(payment);
  return [grossMinor, ownRefundMinor, refundedMinor];
}

describe('merging reports of a payment', () => {
  const sums = [
    ['a payment is worth its amount', [pays()], [100n, undefined, 0n]],
    ['the same again counts once', [pays(), pays()], [100n, undefined, 0n]],
    ['a refund of the same amount is in full', [pays(), refundsOwn(100n)], [100n, 100n, 100n]],
    ['a smaller refund is that part', [pays(), refundsOwn(30n)], [100n, 30n, 30n]],
    [
      'the same part again is the same refund',
      [pays(), refundsOwn(30n), refundsOwn(30n)],
      [100n, 30n, 30n],
    ],
    [
      'the larger of two parts counts',
      [pays(), refundsOwn(50n), refundsOwn(30n)],
      [100n, 50n, 50n],
    ],
    ['refunded false after true stays refunded', [refundsOwn(100n), pays()], [100n, 100n, 100n]],
    ['an unknown payment refunded adds nothing to net', [refundsOwn(100n)], [100n, 100n, 100n]],
    ['a payment after its partial refund sets gross', [refundsOwn(30n), pays()], [100n, 30n, 30n]],
    [
      'refunds of their own ids add up',
      [pays(), refundsBy('r1', 30n), refundsBy('r2', 70n)],
      [100n, undefined, 100n],
    ],
    [
      'a refund of its own id counts once',
      [pays(), refundsBy('r1', 30n), refundsBy('r1', 30n)],
      [100n, undefined, 30n],
    ],
    [
      'a refund repeated without its original is the same refund',
      [pays(), refundsBy('r1', 30n), bareRefund(30n)],
      [100n, undefined, 30n],
    ],
    [
      'a refund told by its own id first is the same refund',
      [pays(), bareRefund(30n), refundsBy('r1', 30n)],
      [100n, undefined, 30n],
    ],
    [
      'a refund tells its whole amount with its payment, and what is back so far without',
      [pays(), bareRefund(10n), refundsBy('r1', 30n), bareRefund(20n)],
      [100n, undefined, 30n],
    ],
    [
      'a refund before its payment waits for it',
      [refundsBy('r1', 30n), pays()],
      [100n, undefined, 30n],
    ],
    [
      'a refund of an unknown payment adds nothing to net',
      [refundsBy('r1', 30n), refundsBy('r2', 20n)],
      [50n, undefined, 50n],
    ],
    [
      'in full takes what other refunds left',
      [pays(), refundsBy('r1', 30n), refundsOwn(100n)],
      [100n, 70n, 100n],
    ],
    [
      'what is refunded in total includes the refunds of other ids',
      [pays(), refundsOwn(50n), refundsBy('r1', 30n), refundsBy('r2', 20n)],
      [100n, 0n, 50n],
    ],
    [
      'the total may say more than the refunds so far',
      [pays(), refundsBy('r1', 30n), refundsOwn(50n)],
      [100n, 20n, 50n],
    ],
    [
      'parts of an unknown payment add nothing to net',
      [refundsOwn(20n), refundsBy('r1', 30n)],
      [30n, 0n, 30n],
    ],
    ['a trial is a payment of nothing', [pays({ amountMinor: 0n })], [0n, undefined, 0n]],
  ] as const;
  for (const [rule, reports, expected] of sums) {
    it(rule, () => assert.deepEqual(totals(...reports), expected));
  }

  const conflicts = [
    ['another amount', [pays(), pays({ amountMinor: 99n })], /recorded with the amount 1\.00 EUR/],
    ['another currency', [pays(), pays({ currency: 'USD' })], /recorded in EUR/],
    ['a refund in another currency', [pays(), refundsBy('r', 1n, { currency: 'USD' })], /in EUR/],
    [
      'a larger refund',
      [pays(), refundsOwn(101n)],
      /refunds .* 1\.01 EUR, would exceed .* 1\.00 EUR/,
    ],
    ['a payment smaller than its refund', [refundsOwn(100n), pays({ amountMinor: 99n })], /exceed/],
    [
      'refunds that exceed the payment',
      [pays(), refundsBy('r', 60n), refundsBy('s', 41n)],
      /exceed/,
    ],
    ['other refunds above a full one', [pays(), refundsOwn(100n), refundsBy('r', 101n)], /exceed/],
    ['a refund with another amount', [refundsBy('r', 10n), refundsBy('r', 9n)], /amount 0\.10 EUR/],
    ['more back than its refund', [refundsBy('r1', 10n), bareRefund(11n)], /amount 0\.10 EUR/],
    ['a refund of less than is back', [bareRefund(11n), refundsBy('r1', 10n)], /amount 0\.11 EUR/],
    [
      'a refund of another payment',
      [refundsBy('r', 1n), refundsBy('r', 1n, { originalTransactionId: 'ty' })],
      /r is recorded as a refund of tx/,
    ],
    ['a payment that is a refund', [refundsBy('r', 1n), pays({ transactionId: 'r' })], /refund of/],
    [
      'a refund that is a payment',
      [pays(), pays({ transactionId: 'r' }), refundsBy('r', 1n)],
      /as a payment/,
    ],
    [
      'a refund that is the payment of a refund',
      [
        { ...refundsOwn(9n), transactionId: 'r' },
        refundsBy('s', 0n, { originalTransactionId: 'r' }),
        refundsBy('r', 9n),
      ],
      /as a payment/,
    ],
    [
      'a refund told by its own id with another amount',
      [{ ...refundsOwn(9n), transactionId: 'r' }, refundsBy('r', 8n)],
      /amount 0\.09 EUR/,
    ],
    [
      'a refund of a refund',
      [refundsBy('r', 9n), refundsBy('s', 1n, { originalTransactionId: 'r' })],
      /r is recorded as a refund/,
    ],
    ['a refund of itself', [refundsBy('tx', 1n)], /refund of itself/],
    ['refunds beyond any payment', [refundsBy('r', 10n ** 14n), refundsBy('s', 1n)], /largest/],
  ] as const;
  for (const [rule, reports, message] of conflicts) {
    it(`refuses ${rule} and changes nothing`, () => {
      const before = bookOf(reports.slice(0, -1));
      const after = bookOf(reports);
      assert.deepEqual(before.refusals, []);
      assert.match(after.refusals.join(), message);
      assert.deepEqual(after, { ...before, refusals: after.refusals });
    });
  }

  it('fills in what was missing and erases nothing', () => {
    const first = pays({ email: 'a@example.com', renewal: true });
    const payment = bookOf([first, pays({ visitorId: 'v', product: 'pro' })]).payments.get('tx');
    assert.equal(payment?.email, 'a@example.com');
    assert.equal(payment?.visitorId, 'v');
    assert.equal(payment?.product, 'pro');
    assert.equal(payment?.renewal, true);
  });

  it('dates a payment by its own timestamp, else by its first report', () => {
    const paidAt = (...reports: PaymentReport[]) => {
      const { payments, refunds } = bookOf(reports);
      const payment = payments.get('tx');
      return payment && paidAtOf(payment, ...[...refunds.values()].map(refundAtOf));
    };
    assert.equal(paidAt(pays({ receivedAt: 7 }), pays({ receivedAt: 9 })), 7);
    assert.equal(paidAt(pays({ receivedAt: 7 }), pays({ receivedAt: 9, paidAt: 8 })), 8);
    assert.equal(paidAt(refundsBy('r', 1n, { receivedAt: 7 })), 7);
    assert.equal(paidAt(refundsOwn(1n, { refundedAt: 5, receivedAt: 7 })), 5);
    assert.equal(paidAt(refundsOwn(1n, { refundedAt: 5 }), refundsBy('r', 1n, { paidAt: 4 })), 4);
    assert.equal(paidAt(refundsOwn(1n, { paidAt: 3, refundedAt: 5 })), 3);
    assert.equal(paidAt(refundsBy('r', 1n, { receivedAt: 7 }), pays({ receivedAt: 9 })), 9);
  });

  it('dates a refund by refunded_at, else by the first report that said so', () => {
    const refundedAt = (...reports: PaymentReport[]) => {
      const payment = bookOf(reports).payments.get('tx');
      return payment && ownRefundAtOf(payment);
    };
    assert.equal(refundedAt(pays({ receivedAt: 7 })), undefined);
    assert.equal(refundedAt(pays({ receivedAt: 7 }), refundsOwn(1n, { receivedAt: 9 })), 9);
    assert.equal(refundedAt(refundsOwn(1n, { refundedAt: 5 }), refundsOwn(1n)), 5);
    assert.equal(refundedAt(refundsOwn(1n, { paidAt: 4, receivedAt: 9 })), 4);
    assert.equal(refundedAt(pays(), refundsOwn(1n, { paidAt: 4, receivedAt: 9 })), 9);
    const refund = bookOf([refundsBy('r', 1n, { paidAt: 6 })]).refunds.get('r');
    assert.equal(refund && refundAtOf(refund), 6);
  });
});
