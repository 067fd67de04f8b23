import { ok, type Result, refuse } from '../result.ts';
import type { Currency } from './currencies.ts';

/** Why a decimal text is not a valid amount. */
export type AmountRefusal = 'not_a_number' | 'negative' | 'too_large';

/** An amount in whole minor units, and whether it had more decimals than its currency. */
export type ParsedAmount = { readonly minor: bigint; readonly isRounded: boolean };

/** The largest amount of one payment, in units of its currency. Source: the contract. */
export const MAX_AMOUNT = 1_000_000_000_000n;
const MAX_AMOUNT_DIGITS = MAX_AMOUNT.toString().length;
const EXPONENT_MAX = 4;

/** By exponent. Precomputed because a BigInt power costs more than the rest of parsing an amount. */
const MAX_MINOR: readonly bigint[] = Array.from(
  { length: EXPONENT_MAX + 1 },
  (_, exponent) => MAX_AMOUNT * 10n ** BigInt(exponent),
);

/** The largest amount of one payment, in minor units of a currency. */
export function maxMinorOf({ exponent }: Pick<Currency, 'exponent'>): bigint {
  return MAX_MINOR[exponent] ?? MAX_AMOUNT * 10n ** BigInt(exponent);
}

/**
 * Parses the text of a JSON number as an amount. Extra decimals, as in floats and converted prices,
 * are rounded half up to the minor unit.
 *
 * - Units: whole minor units of the currency: USD `29.99` is 2999n, JPY `2.5e3` is 2500n.
 * - Refuses text that is not a JSON number, negative amounts, and amounts above {@link MAX_AMOUNT}.
 *   Trailing zeros do not count as decimals: `29.990` is 29.99.
 * - Why text: a float cannot represent most decimals, and loses whole units above 2^53.
 */
export function parseAmount(text: string, currency: Currency): Result<ParsedAmount, AmountRefusal> {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return refuse('not_a_number');
  const [, minus, whole = '', fraction = '', power = '0'] = match;

  // The amount is `digits` × 10^-decimals; `digits` has no leading or trailing zeros.
  const all = `${whole}${fraction}`;
  const digits = withoutZerosAround(all);
  if (digits === '') return ok({ minor: 0n, isRounded: false });
  if (minus === '-') return refuse('negative');
  const decimals = fraction.length - Number(power) - zerosAtEnd(all);
  if (decimals > currency.exponent) return round(digits, decimals - currency.exponent, currency);

  const zeros = currency.exponent - decimals;
  const max = maxMinorOf(currency);
  // Check the length before computing: `1e999999999` must cost nothing.
  if (digits.length + zeros > MAX_AMOUNT_DIGITS + currency.exponent) return refuse('too_large');
  const minor = BigInt(digits.padEnd(digits.length + zeros, '0'));
  return minor > max ? refuse('too_large') : ok({ minor, isRounded: false });
}

/** Drops the last `cut` digits and rounds half up. A number with fewer digits rounds to 0. */
function round(
  digits: string,
  cut: number,
  currency: Currency,
): Result<ParsedAmount, AmountRefusal> {
  if (cut > digits.length) return ok({ minor: 0n, isRounded: true });
  const kept = digits.slice(0, digits.length - cut);
  if (kept.length > MAX_AMOUNT_DIGITS + currency.exponent) return refuse('too_large');
  const isUp = (digits[digits.length - cut] ?? '0') >= '5';
  const minor = BigInt(kept) + (isUp ? 1n : 0n);
  return minor > maxMinorOf(currency) ? refuse('too_large') : ok({ minor, isRounded: true });
}

/** Source: RFC 8259, section 6. Groups: minus, whole part, fraction, exponent. */
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const ZERO = 48;

function zerosAtEnd(digits: string): number {
  let count = 0;
  while (count < digits.length && digits.charCodeAt(digits.length - 1 - count) === ZERO) count++;
  return count;
}

function withoutZerosAround(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) start++;
  return digits.slice(start, Math.max(start, digits.length - zerosAtEnd(digits)));
}
