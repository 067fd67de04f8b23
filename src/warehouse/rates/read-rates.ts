import { existsSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { type ExchangeRates, joinRates } from '#domain/money/exchange-rates.ts';
import { parseRates } from '#domain/money/parse-rates.ts';
import { unzipOne } from './unzip-one.ts';

const ZSTD_MAGIC = 0xfd2fb528;

/** The bundled exchange rates. */
export const BUNDLED_RATES = {
  url: new URL('../../../data/ecb-rates.csv.zst', import.meta.url),
  name: 'data/ecb-rates.csv.zst',
  source: 'European Central Bank',
} as const;

/** Reads the bundled rates and those of the file at `path`, if it exists. Throws if a file is malformed. */
export function readRates(path: string): ExchangeRates {
  return joinFiles(ratesFilesOf(path));
}

type RatesFile = { readonly name: string; readonly bytes: Buffer };

/** Joins the rates of files. For a day in several files, the newest table wins. Throws if a file is malformed. */
export function joinFiles(files: readonly RatesFile[]): ExchangeRates {
  return files.map(({ name, bytes }) => toRates(bytes, name)).reduce(joinRates);
}

/** The files that {@link readRates} reads. */
export function ratesFilesOf(path: string): RatesFile[] {
  const bundled = { name: BUNDLED_RATES.name, bytes: readFileSync(BUNDLED_RATES.url) };
  return existsSync(path) ? [bundled, { name: path, bytes: readFileSync(path) }] : [bundled];
}

/**
 * Reads exchange rates from the bytes of a file: the ECB's table, plain, zipped or compressed with zstd.
 *
 * - Throws with a sentence that begins with `name` if the bytes are not such a table.
 */
export function toRates(bytes: Buffer, name: string): ExchangeRates {
  const rates = parseRates(toText(bytes, name));
  if (!rates.ok) throw new Error(`${name} is not a table of exchange rates. ${rates.error}`);
  return rates.value;
}

function toText(bytes: Buffer, name: string): string {
  try {
    if (bytes.length > 4 && bytes.readUInt32LE(0) === ZSTD_MAGIC) {
      return zstdDecompressSync(bytes).toString();
    }
    return (bytes.toString('latin1', 0, 2) === 'PK' ? unzipOne(bytes) : bytes).toString();
  } catch (error) {
    throw new Error(`${name} cannot be decompressed: ${(error as Error).message}.`);
  }
}
