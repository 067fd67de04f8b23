import { createHash } from 'node:crypto';
import { findCurrency } from '#domain/money/currencies.ts';
import { codesOf, type ExchangeRates, toRateSpans } from '#domain/money/exchange-rates.ts';
import type { Warehouse } from '../client/client.ts';
import { ratesFilesOf, toTables } from './read-rates.ts';

/**
 * Loads the bundled exchange rates and those of the file at `path` into the warehouse, unless they are loaded
 * already. Resolves with whether they were new.
 *
 * - Units: `now` in milliseconds. The rows loaded last win.
 * - Throws if a file is not a table of rates, or if the warehouse does not answer.
 */
export async function loadRates(
  warehouse: Pick<Warehouse, 'select' | 'insertLines'>,
  path: string,
  now: number,
): Promise<boolean> {
  const hash = createHash('sha256');
  const files = ratesFilesOf(path);
  for (const { bytes } of files) hash.update(bytes);
  const digest = hash.digest('hex').slice(0, 32);
  const [known] = await warehouse.select<{ digest: string }>({
    sql: 'SELECT digest FROM rates ORDER BY loaded_at DESC, currency LIMIT 1',
  });
  if (known?.digest === digest) return false;
  await saveRates(warehouse, toTables(files), { digest, loadedAt: now });
  return true;
}

/** The digest of the files that rates come from, and when they were loaded, in milliseconds since 1970. */
export type RatesLoad = { readonly digest: string; readonly loadedAt: number };

/** Replaces the exchange rates in the warehouse, with one row per currency. */
export async function saveRates(
  warehouse: Pick<Warehouse, 'insertLines'>,
  tables: readonly ExchangeRates[],
  load: RatesLoad,
): Promise<void> {
  const lines = codesOf(tables).map((code) => `${JSON.stringify(toRow(tables, code, load))}\n`);
  await warehouse.insertLines('rates', Buffer.from(lines.join('')));
}

function toRow(tables: readonly ExchangeRates[], code: string, { digest, loadedAt }: RatesLoad) {
  const spans = toRateSpans(tables, code);
  return {
    currency: code,
    exponent: findCurrency(code)?.exponent ?? 0,
    starts_on: spans.map((span) => span.startsOn),
    ends_on: spans.map((span) => span.endsOn),
    per_euro: spans.map((span) => span.perEuro),
    digest,
    loaded_at: loadedAt,
  };
}
