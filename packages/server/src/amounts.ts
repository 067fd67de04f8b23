import { DECIMALS_BY_CURRENCY } from './contract.ts';
import { TributaryError } from './tributary-error.ts';

/**
 * An amount in units of its currency, as the text of a JSON number: 2999 of EUR is `29.99`, 500 of JPY `500`.
 *
 * - Units: `minor` is whole minor units by ISO 4217. Some providers count otherwise: Stripe's ISK and UGX are in hundredths,
 *   its MGA in units.
 * - Why text: digits are moved, never divided, so that every amount is exact.
 * - Throws a TributaryError if `minor` is not a whole number of 0 or more.
 */
export function toMajorText(minor: number | bigint, currency: string): string {
  const isWhole = typeof minor === 'bigint' || Number.isSafeInteger(minor);
  if (!isWhole || minor < 0) {
    throw new TributaryError('invalid_amount', `The amount_minor is ${String(minor)}.`);
  }
  // The server refuses a payment without a currency, and says so.
  const decimals = DECIMALS_BY_CURRENCY[currency?.toUpperCase()] ?? 2;
  if (decimals === 0) return minor.toString();
  const digits = minor.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
