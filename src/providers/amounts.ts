import { findCurrency } from '#domain/money/currencies.ts';
import type { FactAmount } from './facts.ts';

/**
 * An amount in a provider's own minor units, of which a unit of the currency has 10^`exponent`, as one in those of ISO
 * 4217. Undefined if it is not a whole number or the currency is unknown.
 *
 * - Why rounded: only units smaller than the currency's own are, such as Stripe's hundredths of a króna.
 */
export function toFactAmount(
  minor: string | undefined,
  code: string | undefined,
  exponent?: number,
): FactAmount | undefined {
  const currency = findCurrency(code?.toUpperCase() ?? '');
  if (currency === undefined || minor === undefined || !/^-?\d{1,18}$/.test(minor))
    return undefined;
  const shift = currency.exponent - (exponent ?? currency.exponent);
  const whole = BigInt(minor);
  if (shift >= 0) return { minor: whole * 10n ** BigInt(shift), currency: currency.code };
  const divisor = 10n ** BigInt(-shift);
  const half = whole < 0n ? -divisor / 2n : divisor / 2n;
  return { minor: (whole + half) / divisor, currency: currency.code };
}
