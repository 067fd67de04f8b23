import type { Money } from '#contract/query-fields.ts';
import { formatExactMoney } from './numbers.ts';

/** Adds an amount in the same currency, exactly. */
export function add(one: Money, amount: Money): Money {
  const digits = Math.max(digitsOf(one), digitsOf(amount));
  const minor = toMinor(one, digits) + toMinor(amount, digits);
  return { value: toDecimal(minor, digits), currency: one.currency };
}

/** Subtracts an amount in the same currency, exactly. */
export function subtract(from: Money, { value, currency }: Money): Money {
  return add(from, { value: value.startsWith('-') ? value.slice(1) : `-${value}`, currency });
}

/** -1, 0 or 1. */
export function signOf({ value }: Money): -1 | 0 | 1 {
  if (!/[1-9]/.test(value)) return 0;
  return value.startsWith('-') ? -1 : 1;
}

/** Money with a leading sign, to the cent unless formatted otherwise: `+€12.00`, `−€3.50`, `±€0.00`. */
export function formatSigned(money: Money, locale?: string, format = formatExactMoney): string {
  const size = { ...money, value: money.value.replace(/^-/, '') };
  const signs = { '-1': '−', '0': '±', '1': '+' } as const;
  return `${signs[`${signOf(money)}`]}${format(size, locale)}`;
}

/** How many decimals an amount has. */
export function digitsOf({ value }: Money): number {
  return value.split('.')[1]?.length ?? 0;
}

function toMinor({ value }: Money, digits: number): bigint {
  const [whole = '0', part = ''] = value.split('.');
  return BigInt(whole + part.padEnd(digits, '0'));
}

function toDecimal(minor: bigint, digits: number): string {
  const text = `${minor < 0n ? -minor : minor}`.padStart(digits + 1, '0');
  const end = text.length - digits;
  const decimal = digits === 0 ? text : `${text.slice(0, end)}.${text.slice(end)}`;
  return minor < 0n ? `-${decimal}` : decimal;
}
