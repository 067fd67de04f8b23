import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ExchangeRates } from '#domain/money/exchange-rates.ts';
import { writeRates } from '#domain/money/write-rates.ts';

/** Writes the rates as a file, whole or not at all. */
export function writeRatesFile(path: string, rates: ExchangeRates): void {
  mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.new`;
  const file = openSync(made, 'w');
  writeSync(file, writeRates(rates));
  fsyncSync(file);
  closeSync(file);
  renameSync(made, path);
}
