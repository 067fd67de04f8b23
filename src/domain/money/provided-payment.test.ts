import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unreportedPayment } from './payment-record.ts';
import { type ProvidedPayment, toProvidedRecord } from './provided-payment.ts';

const stated: ProvidedPayment = {
  ...{ transactionId: 'pi_1', provider: 'stripe', amountMinor: 2_900n, currency: 'EUR' },
  ...{ paidAt: 5, renewal: false, refunds: [] },
};

describe('what a provider states of a payment', () => {
  const faultOf = (more: Partial<ProvidedPayment>, before = {}) => {
    const found = toProvidedRecord(
      { ...unreportedPayment('EUR'), ...before },
      { ...stated, ...more },
      0,
    );
    return found.ok ? undefined : found.error;
  };

  it('is refused if it is more than any payment, with its amount', () => {
    assert.equal(faultOf({ amountMinor: 100_000_000_000_000n }), undefined);
    assert.equal(
      faultOf({ amountMinor: 100_000_000_000_001n }),
      'The amount of transaction pi_1, 1000000000000.01 EUR, is above the largest amount of a payment.',
    );
  });

  it('is refused if more was given back, with both amounts', () => {
    assert.equal(
      faultOf({}, { otherRefundsMinor: 3_000n }),
      'The refunds of transaction pi_1, 30.00 EUR, would exceed its amount of 29.00 EUR.',
    );
  });
});
