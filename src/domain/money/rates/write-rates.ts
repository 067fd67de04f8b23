import { DAY_MS } from '../../time/durations.ts';
import type { ExchangeRates } from './exchange-rates.ts';

/** Formats rates as the table that `parseRates` reads: newest day first, no trailing zeros. */
export function writeRates({ days, perEuroByCode }: ExchangeRates): string {
  const codes = [...perEuroByCode.keys()].filter((code) => code !== 'EUR');
  const lines = days.toReversed().map((day) => {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    return [date, ...codes.map((code) => toDecimal(perEuroByCode.get(code)?.get(day)))].join(',');
  });
  return `${[['Date', ...codes].join(','), ...lines].join('\n')}\n`;
}

function toDecimal(millionths: number | undefined): string {
  if (millionths === undefined) return '';
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
