import type { Money } from '#contract/query-fields.ts';
import { numberForm } from './intl-forms.ts';

/** From here on, cards and panels abbreviate counts and money. */
const SHORT_FROM = 100_000;
/** From here on, cards and panels omit cents. */
const WITHOUT_CENTS_FROM = 1_000;

const NONE = '–';

/** A count: `12,345` in full up to five digits, then `123K`. */
export function formatCount(count: number | null): string {
  if (count === null) return NONE;
  if (Math.abs(count) >= SHORT_FROM) return formatShort(count, 3, {});
  return numberForm({ maximumFractionDigits: 2 }).format(count);
}

/** A count in full, for hover texts. */
export function formatWhole(count: number): string {
  return numberForm({ maximumFractionDigits: 2 }).format(count);
}

/** A count in full, with what is counted: `1 visit`, `1,200 visits`. */
export function formatNoun(count: number, one: string): string {
  return `${formatWhole(count)} ${count === 1 ? one : `${one}s`}`;
}

/** The room that a figure has where its place says nothing else, in digits. */
const ROOM = 10.5;

/**
 * Money in the longest form that fits into so many digits: to the cent, without cents from a thousand up, abbreviated
 * from a hundred thousand up; without its currency only where nothing else fits, or cents would be lost that matter.
 */
export function formatMoney(money: Money | null, room = ROOM): string {
  let shown = NONE;
  for (const form of money === null ? [] : moneyForms(money)) {
    shown = form;
    if (widthOf(form) <= room) break;
  }
  return shown;
}

function* moneyForms(money: Money) {
  const value = toNumber(money);
  const size = Math.abs(value);
  const format = (digits: object) => moneyFormat(money.currency, digits).format(exact(money));
  if (size < WITHOUT_CENTS_FROM) yield format({});
  if (size < 100) yield numberForm({ minimumFractionDigits: digitsOf(money) }).format(exact(money));
  if (size < SHORT_FROM) yield format({ maximumFractionDigits: 0 });
  for (const digits of [4, 3]) yield formatShort(value, digits, moneyOf(money.currency));
  yield formatShort(value, 3, {});
}

/** A figure's width in digits: capitals are wider, small letters, points and spaces narrower. */
export function widthOf(figure: string): number {
  const widths = [...figure].map((each) => {
    if (/[\s.,'’−-]/.test(each)) return 0.5;
    if (/\p{Lu}/u.test(each)) return 1.2;
    return /\p{Ll}/u.test(each) ? 0.9 : 1;
  });
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Money to the cent. */
export function formatExactMoney(money: Money): string {
  const digits = money.value.split('.')[1]?.length ?? 0;
  return moneyFormat(money.currency, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(exact(money));
}

/** Money for axis ticks. */
export function formatMoneyTick(amount: number, currency: string): string {
  const money = moneyOf(currency);
  if (Math.abs(amount) >= WITHOUT_CENTS_FROM) return formatShort(amount, 3, money);
  const maximumFractionDigits = Number.isInteger(amount) ? 0 : 2;
  return numberForm({ ...money, maximumFractionDigits }).format(amount);
}

/** A percentage with one decimal: `38.2%`. */
export function formatPercent(percent: number | null): string {
  if (percent === null) return NONE;
  const digits = percent === 0 || Math.abs(percent) >= 100 ? 0 : 1;
  return numberForm({
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(percent / 100);
}

/** A percentage for axis ticks: `25%`. */
export function formatPercentTick(percent: number): string {
  return numberForm({ style: 'percent', maximumFractionDigits: 2 }).format(percent / 100);
}

/** A count for axis ticks: `800`, `2K`. */
export function formatCountTick(count: number): string {
  return count < WITHOUT_CENTS_FROM
    ? numberForm({ maximumSignificantDigits: 3 }).format(count)
    : formatShort(count, 3, {});
}

/** A duration: `2 m 41 s`, `1 h 5 m`, `3 d 4 h`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return NONE;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} m ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} m`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}

/** An amount as a number, for bar lengths and chart heights; the server does the sums. */
export function toNumber(value: number | Money | null): number {
  if (value === null) return 0;
  return typeof value === 'number' ? value : Number(value.value);
}

/** `Intl.NumberFormat` takes decimal strings as is: no float in between. */
function exact(money: Money): Intl.StringNumericLiteral {
  return money.value as Intl.StringNumericLiteral;
}

/** Abbreviated to so many digits, or in full if the language has no short form: German has none below a million. */
function formatShort(value: number, digits: number, options: Intl.NumberFormatOptions): string {
  const short = numberForm({ ...options, notation: 'compact', maximumSignificantDigits: digits });
  const isShort = short.formatToParts(value).some(({ type }) => type === 'compact');
  if (isShort) return short.format(value);
  return numberForm({ ...options, maximumFractionDigits: 0 }).format(value);
}

function moneyOf(currency: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
}

function moneyFormat(currency: string, options: Intl.NumberFormatOptions) {
  return numberForm({ ...moneyOf(currency), ...options });
}

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
export function formatSigned(money: Money, format = formatExactMoney): string {
  const size = { ...money, value: money.value.replace(/^-/, '') };
  const signs = { '-1': '−', '0': '±', '1': '+' } as const;
  return `${signs[`${signOf(money)}`]}${format(size)}`;
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

const SMALLEST = 0.1;

/** A rate in percent; one too small for its decimal shows as `< 0.1%`, not 0. */
export function formatRate(percent: number | null): string {
  const isTiny = percent !== null && percent > 0 && percent < SMALLEST / 2;
  return isTiny ? `< ${formatPercent(SMALLEST)}` : formatPercent(percent);
}
