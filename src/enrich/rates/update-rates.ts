import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { toDate } from '#domain/money/rates/describe-old-rates.ts';
import {
  type ExchangeRates,
  findFirstChange,
  joinRates,
} from '#domain/money/rates/exchange-rates.ts';
import { writeRates } from '#domain/money/rates/write-rates.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { sendGuarded } from '../guarded-request.ts';
import { digestRates, toChangeLine } from './open-rates.ts';
import { ECB_URL } from './rates-url.ts';
import { isDayRates, otherRatesOf, ratesFilesOf, readRates, toRates } from './read-rates.ts';

const DOWNLOAD_MAX_MS = 30_000;
const DOWNLOAD_MAX_BYTES = 50_000_000;

/**
 * Adds a table, from a file or URL, to the rates of the files at `path`, and returns all of them.
 *
 * Throws with a sentence if there is no such file or answer, or if it is not a table of rates, or of a day to come.
 */
export async function updateRates(path: string, from: string): Promise<readonly ExchangeRates[]> {
  const bytes = /^https?:/.test(from) ? await download(new URL(from)) : readTable(from);
  const added = toRates(bytes, from);
  const last = added.days.at(-1) ?? 0;
  const isToCome = last * DAY_MS > Date.now() + DAY_MS;
  if (isToCome) throw new Error(`${from} has rates of ${toDate(last)}, a day that is yet to come.`);
  const before = readRates(path);
  const [target, table] = isDayRates(bytes) ? [otherRatesOf(path), 1] : [path, 0];
  const own = existsSync(target) ? toRates(readFileSync(target), target) : NO_RATES;
  const [known = NO_RATES, joined] = [before[table], joinRates(own, added)];
  const firstDay = findFirstChange(known, joinRates(known, joined));
  if (firstDay === undefined) return before;
  const change = toChangeLine({ from: digestRates(ratesFilesOf(path)), firstDay });
  writeRatesFile(target, change + writeRates(joined));
  return readRates(path);
}

const NO_RATES: ExchangeRates = { days: [], perEuroByCode: new Map() };

/** Writes a file of rates atomically. */
function writeRatesFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { flush: true });
  renameSync(`${path}.new`, path);
}

function readTable(path: string): Buffer {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  return readFileSync(path);
}

/** A URL other than the ECB's was set by the server's owner, so it may be on a private network. */
async function download(url: URL): Promise<Buffer> {
  const signal = AbortSignal.timeout(DOWNLOAD_MAX_MS);
  const isTrusted = url.href !== ECB_URL;
  const headers = { 'user-agent': 'tributary' };
  const answer = await sendGuarded(url, { body: '', isTrusted, signal, headers });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`);
  let size = 0;
  answer.on('data', ({ length }: Buffer) => {
    size += length;
    if (size > DOWNLOAD_MAX_BYTES) answer.destroy(new Error(`${url} answers too much.`));
  });
  return buffer(answer);
}
