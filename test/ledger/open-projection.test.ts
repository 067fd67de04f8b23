import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { makeProjectionForEachTest } from './projection-of-test.ts';

const own = makeProjectionForEachTest();

const PAYMENT: PaymentReport = {
  transactionId: 'tx',
  amountMinor: 2999n,
  currency: 'EUR',
  visitorId: 'v',
  renewal: false,
  refunded: false,
  receivedAt: 1_500,
};

const pays = (facts: Partial<PaymentReport> = {}) =>
  own.ledger.acceptPayment('site_1', { ...PAYMENT, ...facts });

const { nextShipment } = own;

/** Kind, id, amount and instant of each row that is to be shipped. */
function pendingRows(): unknown[][] {
  const lines = nextShipment(0)?.lines.toString().trimEnd().split('\n') ?? [];
  return lines.map((line) => {
    const row = JSON.parse(line);
    return [row.kind, row.transaction_id, row.amount_minor, row.occurred_at];
  });
}

describe('payments on their way to the warehouse', () => {
  it('have what is known of them, and leave out what is not', async () => {
    await pays({ email: 'a@example.com', renewal: true, product: 'pro' });
    const shipment = nextShipment(0);
    assert.equal(shipment?.table, 'payments');
    assert.equal(shipment?.rows, 1);
    assert.deepEqual(JSON.parse(`${shipment?.lines}`), {
      version: '1',
      site_id: 'site_1',
      kind: 'payment',
      transaction_id: 'tx',
      occurred_at: 1_500,
      paid_at: 1_500,
      accepted_at: 1_500,
      amount_minor: '2999',
      currency: 'EUR',
      visitor_id: 'v',
      email: 'a@example.com',
      product: 'pro',
      renewal: 1,
    });
  });

  it('come again until they are confirmed, and not after', async () => {
    await pays();
    assert.deepEqual(nextShipment(0)?.lines, nextShipment(0)?.lines);
    nextShipment(0)?.confirm();
    assert.equal(nextShipment(0), undefined);
  });

  it('come again when something changed, and only then', async () => {
    await pays();
    await pays({ transactionId: 'ty' });
    nextShipment(0)?.confirm();
    await pays();
    assert.equal(nextShipment(0), undefined);
    await pays({ customerId: 'c' });
    assert.deepEqual(pendingRows(), [['payment', 'tx', '2999', 1_500]]);
  });

  it('that change while a shipment is under way come with the next', async () => {
    await pays();
    const shipment = nextShipment(0);
    await pays({ customerId: 'c' });
    shipment?.confirm();
    assert.equal(pendingRows().length, 1);
  });

  it('have a row for the refund under their own id', async () => {
    await pays();
    await pays({ refunded: true, amountMinor: 999n, refundedAt: 3_000 });
    assert.deepEqual(pendingRows(), [
      ['payment', 'tx', '2999', 1_500],
      ['refund', 'tx', '999', 3_000],
    ]);
  });

  it('come with their refunds when a refund arrives, and lend them their visitor', async () => {
    await pays();
    nextShipment(0)?.confirm();
    await pays({
      transactionId: 're',
      originalTransactionId: 'tx',
      refunded: true,
      amountMinor: 999n,
      visitorId: 'other',
      receivedAt: 4_000,
    });
    assert.deepEqual(pendingRows(), [
      ['payment', 'tx', '2999', 1_500],
      ['refund', 're', '999', 4_000],
    ]);
    const refund = JSON.parse(`${nextShipment(0)?.lines}`.split('\n')[1] ?? '');
    assert.equal(refund.visitor_id, 'v');
    assert.equal(refund.original_transaction_id, 'tx');
    assert.equal(refund.paid_at, 1_500);
  });

  it('that only a refund names are worth that refund, at its time', async () => {
    const refund = { transactionId: 're', originalTransactionId: 'tx', refunded: true } as const;
    await pays({ ...refund, amountMinor: 999n, receivedAt: 4_000 });
    assert.deepEqual(pendingRows(), [
      ['payment', 'tx', '999', 4_000],
      ['refund', 're', '999', 4_000],
    ]);
    nextShipment(0)?.confirm();
    await pays({ ...refund, amountMinor: 999n, refundedAt: 3_000 });
    assert.deepEqual(pendingRows(), [
      ['payment', 'tx', '999', 3_000],
      ['refund', 're', '999', 3_000],
    ]);
  });
});
