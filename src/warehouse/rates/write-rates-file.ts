import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ExchangeRates } from '#domain/money/exchange-rates.ts';
import { writeRates } from '#domain/money/write-rates.ts';

/** Writes rates to a file atomically. */
export function writeRatesFile(path: string, rates: ExchangeRates): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.new`;
  writeFileSync(temporary, writeRates(rates), { flush: true });
  renameSync(temporary, path);
}
