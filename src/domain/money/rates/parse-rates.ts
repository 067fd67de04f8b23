import { ok, type Result, refuse } from '../../result.ts';
import { DAY_MS } from '../../time/durations.ts';
import { findCurrency } from '../currencies.ts';
import type { ExchangeRates } from './exchange-rates.ts';

const MILLION = 1_000_000;

/**
 * Parses an exchange rate table of the European Central Bank: `Date,USD,JPY,…`, one line a day.
 *
 * - Shape: days are `2026-09-29`, or `29 September 2026` as in the daily table. Lines may come in any order; `N/A` and empty cells mean no rate; `#` starts a comment.
 * - Shape: with `only`, the rates of one currency and of the euro.
 * - Refuses a malformed table, naming the line and its fault.
 * - Source: https://www.ecb.europa.eu/stats/eurofxref/, `eurofxref-hist.csv` and `eurofxref.csv`.
 */
export function parseRates(text: string, only?: string): Result<ExchangeRates, string> {
  const [header, ...rows] = toLines(text);
  const [first = '', ...codes] = toCells(header?.line ?? '');
  if (first !== 'Date' || codes.length === 0 || !codes.every((code) => /^[A-Z]{3}$/.test(code))) {
    return refuse('A table of rates begins with a line such as "Date,USD,JPY".');
  }
  const kept = ['EUR', ...codes.filter((code) => only === undefined || code === only)];
  const perEuroByCode = new Map(kept.map((code) => [code, new Map<number, number>()]));
  const columns = ['EUR', ...codes].map((code) => perEuroByCode.get(code));
  for (const { line, number } of rows) {
    const fault = readLine(toCells(line), columns);
    if (fault !== undefined) return refuse(`Line ${number}: ${fault}`);
  }
  const days = [...(perEuroByCode.get('EUR')?.keys() ?? [])].toSorted((a, b) => a - b);
  return days.length === 0 ? refuse('The table of rates has no day.') : ok({ days, perEuroByCode });
}

type Line = { readonly line: string; readonly number: number };

/** The lines that are neither empty nor a comment. */
function toLines(text: string): Line[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => !/^\s*#|^[\s,]*$/.test(line));
}

function toCells(line: string): string[] {
  const cells = line.replace(/,\s*$/, '').split(',');
  return cells.map((cell) => cell.trim());
}

/** Adds one day's rates to the currencies' columns, the euro's first. Returns the line's fault, if it has one. */
function readLine(
  [date = '', ...values]: readonly string[],
  [euro, ...columns]: readonly (Map<number, number> | undefined)[],
): string | undefined {
  const day = toDay(date);
  if (day === undefined) return `"${date}" is not a day.`;
  if (values.length > columns.length) return 'it has too many values.';
  euro?.set(day, MILLION);
  for (const [index, value] of values.entries()) {
    if (value === '' || value === 'N/A') continue;
    const column = columns[index];
    if (column === undefined) continue;
    const perEuro = toMillionths(value);
    if (perEuro === undefined) return `"${value}" is not a rate.`;
    column.set(day, perEuro);
  }
  return undefined;
}

function toDay(text: string): number | undefined {
  if (!/^(?:\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]{2,8} \d{4})$/.test(text)) return undefined;
  const at = Date.parse(text.includes('-') ? `${text}T00:00:00Z` : `${text} UTC`);
  const isDay = new Date(at).getUTCDate() === Number(/^\d+(?= )|\d\d$/.exec(text)?.[0]);
  return isDay ? at / DAY_MS : undefined; // Date.parse takes November 31st for December 1st.
}

/** Exact, with at most nine digits before the point and six after. A rate of 0 is not a rate. */
function toMillionths(text: string): number | undefined {
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return undefined;
  return Math.round(Number(text) * MILLION) || undefined;
}

/**
 * Parses the rates of one day in many currencies: `{"date": "2026-09-29", "eur": {"ngn": 1790.5, …}}`. The base may be
 * any currency whose rates include the euro. What is no currency of payments is left out.
 *
 * - Refuses text of another shape.
 * - Source: https://github.com/fawazahmed0/exchange-api, `currencies/eur.json`.
 */
export function parseDayRates(text: string): Result<ExchangeRates, string> {
  const { date, ...bases } = toObject(text);
  const [[base, rates] = ['', undefined]] = Object.entries(bases);
  const day = toDay(String(date));
  const values = { ...(typeof rates === 'object' ? rates : {}), [base]: 1 };
  const perBase = new Map(
    Object.entries(values).map(([code, value]) => [code.toUpperCase(), Number(value)] as const),
  );
  const euro = perBase.get('EUR') ?? 0;
  const perEuro = [...perBase]
    .map(([code, value]) => [code, Math.round((value / euro) * MILLION)] as const)
    .filter(([code, rate]) => findCurrency(code) && rate > 0 && Number.isSafeInteger(rate));
  if (day === undefined || !(euro > 0) || perEuro.length < 2) {
    return refuse('Rates of one day begin like {"date": "2026-09-29", "eur": {"usd": 1.17');
  }
  const perEuroByCode = new Map(perEuro.map(([code, rate]) => [code, new Map([[day, rate]])]));
  return ok({ days: [day], perEuroByCode });
}

function toObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}
