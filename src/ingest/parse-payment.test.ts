import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePayment } from './parse-payment.ts';

describe('the timestamp of a payment', () => {
  const isTaken = (timestamp: string, timezone: string) =>
    parsePayment(
      {
        fields: { amount: 1, currency: 'EUR', transaction_id: 't', timestamp },
        amountText: '1',
        hasBadVisitor: false,
        faults: [],
      },
      { timezone, receivedAt: Date.UTC(2026, 10, 21) },
    ).ok;

  for (const zone of ['Pacific/Kiritimati', 'UTC', 'America/Los_Angeles']) {
    it(`may be the first day of 2000 in ${zone}, and not the day before`, () => {
      assert.ok(isTaken('2000-01-01', zone));
      assert.ok(!isTaken('1999-12-31', zone));
    });
  }
  it('may be the first instant of 2000', () => {
    assert.ok(isTaken('2000-01-01T00:00:00Z', 'Asia/Tokyo'));
    assert.ok(!isTaken('1999-12-31T23:59:59Z', 'Asia/Tokyo'));
  });
});
