import assert from 'node:assert/strict';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import type { ProvidedPayment } from '#domain/money/provided-payment.ts';

/** A payment as the ledger gets it: `49.00 EUR new, anna, back 10.00`. */
export function toLine(payment: ProvidedPayment): string {
  const { amountMinor, renewal, visitorId = 'nobody', refundedMinor, refunds } = payment;
  const currency = findCurrency(payment.currency);
  assert.ok(currency && amountMinor !== undefined);
  const sum = refunds
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .reduce((total, refund) => total + refund.amountMinor, 0n);
  const back = refundedMinor ?? sum;
  const kind = amountMinor === 0n ? 'trial' : renewal ? 'renewal' : 'new';
  return [
    `${formatAmount(amountMinor, currency)} ${currency.code} ${kind}`,
    visitorId,
    ...(back > 0n ? [`back ${formatAmount(back, currency)}`] : []),
  ].join(', ');
}

/** What the lines of the world are in the ledger: what is disputed or lost is as good as given back. */
export function ledgerOf(lines: readonly string[]): string[] {
  return lines
    .map((line) =>
      line
        .replace(', dispute won', '')
        .replace(/^(\S+)(.*), dispute (?:open|lost)$/, '$1$2, back $1')
        .replace('refunded', 'back'),
    )
    .toSorted();
}
