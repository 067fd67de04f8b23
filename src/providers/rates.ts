import { findCurrency } from '#domain/money/currencies.ts';
import type { AmountRead } from './amounts.ts';
import type { PaymentFact } from './facts.ts';
import type { JsonValue } from './json.ts';

type FactRate = PaymentFact['rate'];

/** Enough that converting a payment gives the amount that the rate was made of. */
const DECIMALS = 12;

/** Reads what a provider converted a payment by, for one unit; undefined if it is no rate to another currency. */
export function readRate(
  amount: AmountRead,
  to: string | undefined,
  rate: JsonValue | undefined,
): FactRate {
  const code = findCurrency(to?.toUpperCase() ?? '')?.code;
  if (!amount.ok || code === undefined || code === amount.value.currency) return undefined;
  const text = typeof rate === 'number' ? String(rate) : rate;
  const isRate = typeof text === 'string' && /^\d{1,12}(?:\.\d{1,12})?$/.test(text);
  return isRate && Number(text) > 0 ? { to: code, rate: text } : undefined;
}

/** The rate between a payment and what it came to in another currency. */
export function rateBetween(amount: AmountRead, settled: AmountRead): FactRate {
  if (!amount.ok || !settled.ok || amount.value.minor === 0n) return undefined;
  const unitsOf = (code: string) => 10n ** BigInt(findCurrency(code)?.exponent ?? 0);
  const { minor, currency } = settled.value;
  const divisor = amount.value.minor * unitsOf(currency);
  const scaled = minor * unitsOf(amount.value.currency) * 10n ** BigInt(DECIMALS);
  const digits = `${(2n * scaled + divisor) / (2n * divisor)}`.padStart(DECIMALS + 1, '0');
  const rate = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
  return readRate(amount, currency, rate);
}
