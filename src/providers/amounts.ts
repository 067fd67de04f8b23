import { type Currency, findCurrency } from '#domain/money/currencies.ts';
import { MAX_AMOUNT, maxMinorOf, parseAmount } from '#domain/money/parse-amount.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { FactAmount } from './facts.ts';
import type { JsonValue } from './json.ts';

/** An amount, or a sentence about what is wrong with it. */
export type AmountRead = Result<FactAmount, string>;

/** How many decimals the minor units have that a provider counts in. */
export type DecimalsOf = (currency: Currency) => number;

/** Minor units as ISO 4217 has them: yen, cents, fils. */
export const isoDecimals: DecimalsOf = ({ exponent }) => exponent;

/** Hundredths of every currency, also of those without a minor unit. */
export const hundredths: DecimalsOf = () => 2;

/**
 * Minor units by the list that card processors share: the ariary has none, though ISO 4217 gives it two, and króna
 * and Ugandan shilling are in hundredths, though ISO 4217 gives them none.
 *
 * - Source: https://docs.stripe.com/currencies#zero-decimal
 */
export const processorDecimals: DecimalsOf = ({ code, exponent }) => {
  if (code === 'MGA') return 0;
  return code === 'ISK' || code === 'UGX' ? 2 : exponent;
};

/** Reads a whole number of a provider's minor units, as a number or as text. */
export function readMinor(
  value: JsonValue | undefined,
  code: string | undefined,
  decimalsOf: DecimalsOf = isoDecimals,
): AmountRead {
  const currency = readCurrency(code);
  if (!currency.ok) return currency;
  const text = toText(value);
  if (text === undefined) return refuse('It states no amount.');
  if (!WHOLE.test(text)) return refuse(`Its amount is not a whole number: ${quote(text)}.`);
  const places = currency.value.exponent - decimalsOf(currency.value);
  const minor = scale(BigInt(text), places);
  return minor > maxMinorOf(currency.value) ? tooLarge(text) : toAmount(minor, currency.value);
}

/** Reads an amount in whole units with decimals, as a number or as text. */
export function readMajor(value: JsonValue | undefined, code: string | undefined): AmountRead {
  const currency = readCurrency(code);
  if (!currency.ok) return currency;
  const text = toText(value);
  if (text === undefined) return refuse('It states no amount.');
  const parsed = parseAmount(text, currency.value);
  if (parsed.ok) return toAmount(parsed.value.minor, currency.value);
  if (parsed.error === 'too_large') return tooLarge(text);
  return refuse(
    parsed.error === 'negative'
      ? `Its amount is negative: ${quote(text)}.`
      : `Its amount is not a number: ${quote(text)}.`,
  );
}

/** An amount's text without its minus, for providers that write refunds as negative payments. */
export function withoutMinus(value: JsonValue | undefined): string | undefined {
  return toText(value)?.replace(/^-/, '');
}

/** The sum of amounts in one currency. */
export function addAmounts(amounts: readonly AmountRead[]): AmountRead {
  let sum: FactAmount | undefined;
  for (const each of amounts) {
    if (!each.ok) return each;
    if (sum !== undefined && sum.currency !== each.value.currency) {
      return refuse(`Its amounts are in ${sum.currency} and ${each.value.currency}.`);
    }
    sum = { ...each.value, minor: each.value.minor + (sum?.minor ?? 0n) };
  }
  if (sum === undefined) return refuse('It states no amount.');
  return readMinor(String(sum.minor), sum.currency);
}

const WHOLE = /^\d{1,30}$/;

/** What we quote of a value in a sentence. */
const QUOTED_MAX = 40;

function readCurrency(code: string | undefined): Result<Currency, string> {
  if (code === undefined) return refuse('It states no currency.');
  const currency = findCurrency(code.toUpperCase());
  return currency === undefined ? refuse(`Its currency is unknown: ${quote(code)}.`) : ok(currency);
}

function toText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Multiplies by a power of ten. Rounds half up where it divides. */
function scale(minor: bigint, places: number): bigint {
  if (places >= 0) return minor * 10n ** BigInt(places);
  const by = 10n ** BigInt(-places);
  return (minor + by / 2n) / by;
}

function toAmount(minor: bigint, { code }: Currency): AmountRead {
  return ok({ minor, currency: code });
}

function tooLarge(text: string): AmountRead {
  return refuse(`Its amount is above ${MAX_AMOUNT} units of its currency: ${quote(text)}.`);
}

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
