import type { Currency } from './currencies.ts';

/**
 * Formats an amount as a decimal with all decimals of its currency: `29.90`, `-0.05`, `3000`.
 *
 * - Units: minor units in, currency units out. No digit grouping and no currency symbol: both
 *   depend on the reader's locale.
 */
export function formatAmount(amountMinor: bigint, currency: Currency): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = `${amountMinor < 0n ? -amountMinor : amountMinor}`;
  if (currency.exponent === 0) return `${sign}${digits}`;
  const padded = digits.padStart(currency.exponent + 1, '0');
  return `${sign}${padded.slice(0, -currency.exponent)}.${padded.slice(-currency.exponent)}`;
}
