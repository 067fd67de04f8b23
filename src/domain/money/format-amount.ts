import type { Currency } from './currencies.ts';

/**
 * The amount as a decimal text with all the decimals of its currency: `29.90`, `-0.05`, `3000`.
 *
 * - Units: minor units in; units of the currency out. No grouping, no sign of the currency: that
 *   is the reader's language.
 */
export function formatAmount(amountMinor: bigint, currency: Currency): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = `${amountMinor < 0n ? -amountMinor : amountMinor}`;
  if (currency.exponent === 0) return `${sign}${digits}`;
  const padded = digits.padStart(currency.exponent + 1, '0');
  return `${sign}${padded.slice(0, -currency.exponent)}.${padded.slice(-currency.exponent)}`;
}
