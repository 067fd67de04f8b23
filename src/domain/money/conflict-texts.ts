import { findCurrency } from './currencies.ts';
import { formatAmount } from './format-amount.ts';
import type { PaymentRecord } from './payment-record.ts';

// Messages for callers whose report contradicts the record.

/** The transaction is on record in another currency. */
export function otherCurrency(id: string, currency: string): string {
  return `Transaction ${id} is recorded in ${currency}.`;
}

/** The transaction is on record with another amount. */
export function otherAmount(id: string, amountMinor: bigint, currency: string): string {
  return `Transaction ${id} is recorded with the amount ${textOf(amountMinor, currency)}.`;
}

/** More would be paid back than was paid, or than can be paid. */
export function overRefunded(id: string, record: PaymentRecord): string {
  const refunded = (record.refundStatedMinor ?? 0n) + record.otherRefundsMinor;
  return record.statedMinor === undefined
    ? `The refunds of transaction ${id} would pass the largest amount of a payment.`
    : `The refunds of transaction ${id}, ${textOf(refunded, record.currency)}, would pass its amount of ${textOf(record.statedMinor, record.currency)}.`;
}

function textOf(amountMinor: bigint, code: string): string {
  const currency = findCurrency(code) ?? { code, exponent: 0 };
  return `${formatAmount(amountMinor, currency)} ${code}`;
}
