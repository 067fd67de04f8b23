import { existsSync, readFileSync } from 'node:fs';
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { type ExchangeRates, joinRates } from '#domain/money/rates/exchange-rates.ts';
import { parseDayRates, parseRates } from '#domain/money/rates/parse-rates.ts';
import { DAY_MS } from '#domain/time/durations.ts';

const ZSTD_MAGIC = 0xfd2fb528;

/** The bundled exchange rates. */
export const BUNDLED_RATES = {
  url: new URL('../../../data/ecb-rates.csv.zst', import.meta.url),
  name: 'data/ecb-rates.csv.zst',
  source: 'European Central Bank',
} as const;

/**
 * Reads the tables of rates: the ECB's, bundled and of the file at `path`; and, if there are any, those of other
 * currencies. Throws if a file is malformed.
 */
export function readRates(path: string): readonly ExchangeRates[] {
  return toTables(ratesFilesOf(path));
}

/** A file of rates, unparsed. */
export type RatesFile = { readonly name: string; readonly bytes: Buffer };

/**
 * The tables that files of rates make: of one currency, or of all. For a day in several files of the ECB, the newest one
 * wins.
 */
export function toTables(files: readonly RatesFile[], only?: string): readonly ExchangeRates[] {
  return [files.filter((file) => !isOther(file)), files.filter(isOther)]
    .filter((of) => of.length > 0)
    .map((of) => of.map(({ name, bytes }) => toRates(bytes, name, only)).reduce(joinRates));
}

/** The last day with rates of the ECB, since 1970: the first in each file, as these are written. */
export function findLastDay(files: readonly RatesFile[]): number {
  const firsts = files
    .filter((file) => !isOther(file))
    .map(({ name, bytes }) => /^\d{4}-\d{2}-\d{2}/m.exec(toText(bytes, name))?.[0]);
  return Math.max(...firsts.map((date = '') => Date.parse(date) / DAY_MS || 0));
}

function isOther({ name }: RatesFile): boolean {
  return name.endsWith(OTHER_RATES);
}

/** The files that {@link readRates} reads. */
export function ratesFilesOf(path: string): RatesFile[] {
  const bundled = { name: BUNDLED_RATES.name, bytes: readFileSync(BUNDLED_RATES.url) };
  const own = [path, otherRatesOf(path)].filter((name) => existsSync(name));
  return [bundled, ...own.map((name) => ({ name, bytes: readFileSync(name) }))];
}

const OTHER_RATES = '-other.csv';

/** The file of rates that the ECB does not publish, beside the file of those that it does. */
export function otherRatesOf(path: string): string {
  return path.replace(/(\.csv)?$/, OTHER_RATES);
}

/**
 * Reads exchange rates from the bytes of a file: the ECB's table, plain, zipped or compressed with zstd; or rates of one
 * day as JSON ({@link isDayRates}).
 *
 * - Throws with a sentence that begins with `name` if the bytes are not such a table.
 */
export function toRates(bytes: Buffer, name: string, only?: string): ExchangeRates {
  const text = toText(bytes, name);
  const rates = isDayRates(bytes) ? parseDayRates(text) : parseRates(text, only);
  if (!rates.ok) throw new Error(`${name} is not a table of exchange rates. ${rates.error}`);
  return rates.value;
}

/** Whether the bytes are JSON, which the ECB does not publish. */
export function isDayRates(bytes: Buffer): boolean {
  return /^\s*\{/.test(bytes.toString('latin1', 0, 100));
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

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const SIZE_MAX_BYTES = 100_000_000;

/**
 * Extracts the first file of a ZIP archive.
 *
 * - Throws if the bytes are not a ZIP archive, or use a feature that the ECB does not use.
 * - Source: APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
 */
function unzipOne(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(bytesOf(END_OF_DIRECTORY));
  if (end < 0) throw new Error('the file is not a complete ZIP archive');
  const entry = zip.readUInt32LE(end + 16);
  if (zip.readUInt32LE(entry) !== DIRECTORY_ENTRY) throw new Error('the ZIP directory is damaged');
  const method = zip.readUInt16LE(entry + 10);
  const packedBytes = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error('the ZIP compression method is not supported');
  return inflateRawSync(packed, { maxOutputLength: SIZE_MAX_BYTES });
}

function bytesOf(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}
