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
async function pendingRows(): Promise<unknown[][]> {
  const shipment = await nextShipment(0);
  const lines = shipment?.lines.toString().trimEnd().split('\n') ?? [];
  return lines.map((line) => {
    const row = JSON.parse(line);
    return [row.kind, row.transaction_id, row.amount_minor, row.occurred_at];
  });
}

describe('shipments of payments', () => {
  it('contain known facts, and leave out unknown ones', async () => {
    await pays({ email: 'a@example.com', renewal: true, product: 'pro' });
    const shipment = await nextShipment(0);
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

  it('repeat until they are confirmed', async () => {
    await pays();
    assert.deepEqual((await nextShipment(0))?.lines, (await nextShipment(0))?.lines);
    await (await nextShipment(0))?.confirm();
    assert.equal(await nextShipment(0), undefined);
  });

  it('repeat a payment only after it has changed', async () => {
    await pays();
    await pays({ transactionId: 'ty' });
    await (await nextShipment(0))?.confirm();
    await pays();
    assert.equal(await nextShipment(0), undefined);
    await pays({ customerId: 'c' });
    assert.deepEqual(await pendingRows(), [['payment', 'tx', '2999', 1_500]]);
  });

  it('include changes during a shipment in the next one', async () => {
    await pays();
    const shipment = await nextShipment(0);
    await pays({ customerId: 'c' });
    await shipment?.confirm();
    assert.equal((await pendingRows()).length, 1);
  });

  it('have a row for a refund under the payment’s own id', async () => {
    await pays();
    await pays({ refunded: true, amountMinor: 999n, refundedAt: 3_000 });
    assert.deepEqual(await pendingRows(), [
      ['payment', 'tx', '2999', 1_500],
      ['refund', 'tx', '999', 3_000],
    ]);
  });

  it('include all refunds when one arrives, with the payment’s visitor', async () => {
    await pays();
    await (await nextShipment(0))?.confirm();
    await pays({
      transactionId: 're',
      originalTransactionId: 'tx',
      refunded: true,
      amountMinor: 999n,
      visitorId: 'other',
      receivedAt: 4_000,
    });
    assert.deepEqual(await pendingRows(), [
      ['payment', 'tx', '2999', 1_500],
      ['refund', 're', '999', 4_000],
    ]);
    const refund = JSON.parse(`${(await nextShipment(0))?.lines}`.split('\n')[1] ?? '');
    assert.equal(refund.visitor_id, 'v');
    assert.equal(refund.original_transaction_id, 'tx');
    assert.equal(refund.paid_at, 1_500);
  });

  it('give a payment that only a refund names the amount and time of the refund', async () => {
    const refund = { transactionId: 're', originalTransactionId: 'tx', refunded: true } as const;
    await pays({ ...refund, amountMinor: 999n, receivedAt: 4_000 });
    assert.deepEqual(await pendingRows(), [
      ['payment', 'tx', '999', 4_000],
      ['refund', 'tx', '0', 4_000], // Deletes a refund under its own id that was withdrawn.
      ['refund', 're', '999', 4_000],
    ]);
    await (await nextShipment(0))?.confirm();
    await pays({ ...refund, amountMinor: 999n, refundedAt: 3_000 });
    assert.deepEqual(await pendingRows(), [
      ['payment', 'tx', '999', 3_000],
      ['refund', 'tx', '0', 3_000], // Deletes a refund under its own id that was withdrawn.
      ['refund', 're', '999', 3_000],
    ]);
  });
});
