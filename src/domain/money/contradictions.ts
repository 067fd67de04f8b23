import { findCurrency } from './currencies.ts';
import { formatAmount } from './format-amount.ts';
import { maxMinorOf } from './parse-amount.ts';
import { type PaymentRecord, totalsOf } from './payment-record.ts';

/** Whether refunds exceed the payment, or the largest possible payment. */
export function isOverRefunded(record: PaymentRecord): boolean {
  const { grossMinor, refundedMinor } = totalsOf(record);
  const largest = maxMinorOf(findCurrency(record.currency) ?? { exponent: 0 });
  return refundedMinor > grossMinor || grossMinor > largest;
}

/** The message for a currency that differs from the recorded one. */
export function otherCurrency(id: string, currency: string): string {
  return `Transaction ${id} is recorded in ${currency}.`;
}

/** The message for an amount that differs from the recorded one. */
export function otherAmount(id: string, amountMinor: bigint, currency: string): string {
  return `Transaction ${id} is recorded with the amount ${textOf(amountMinor, currency)}.`;
}

/** The message for refunds that exceed the payment, or for more than the largest possible payment. */
export function overRefunded(id: string, record: PaymentRecord): string {
  const { currency, statedMinor } = record;
  const { refundedMinor } = totalsOf(record);
  if (statedMinor === undefined) {
    return `The refunds of transaction ${id} would exceed the largest amount of a payment.`;
  }
  const amount = textOf(statedMinor, currency);
  return refundedMinor > statedMinor
    ? `The refunds of transaction ${id}, ${textOf(refundedMinor, currency)}, would exceed its amount of ${amount}.`
    : `The amount of transaction ${id}, ${amount}, is above the largest amount of a payment.`;
}

function textOf(amountMinor: bigint, code: string): string {
  const currency = findCurrency(code) ?? { code, exponent: 0 };
  return `${formatAmount(amountMinor, currency)} ${code}`;
}
