import { existsSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { describeOldRates, toDate } from '#domain/money/describe-old-rates.ts';
import { codesOf, type ExchangeRates, joinRates } from '#domain/money/exchange-rates.ts';
import { sendGuarded } from '#enrich/guarded-request.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { ECB_URL, readSettings } from '#settings.ts';
import {
  BUNDLED_RATES,
  isDayRates,
  otherRatesOf,
  readRates,
  toRates,
} from '#warehouse/rates/read-rates.ts';
import { writeRatesFile } from '#warehouse/rates/write-rates-file.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';

const DOWNLOAD_MAX_MS = 30_000;
const DOWNLOAD_MAX_BYTES = 50_000_000;

/** `tributary rates`: shows and updates the exchange rates. */
export function ratesCommand(): Command {
  return new Command('rates')
    .description('show and update exchange rates')
    .addCommand(showCommand())
    .addCommand(updateCommand());
}

function showCommand(): Command {
  return jsonCommand('show', 'list the known rates').action((options: AnswerOptions) =>
    writeRates(options, readRates(pathOfRates())),
  );
}

function updateCommand(): Command {
  const table = "the European Central Bank's eurofxref table (.zip or .csv)";
  return jsonCommand('update', `add rates from ${table}, or of one day in other currencies (.json)`)
    .argument('[table]', 'the table’s file or URL')
    .option('--from-ecb', `download the table from ${ECB_URL}`)
    .action(async (table: string | undefined, options: AnswerOptions & { fromEcb?: boolean }) => {
      if ((table === undefined) !== (options.fromEcb === true)) {
        throw new Error('Give either a file with the table, or its URL, or --from-ecb.');
      }
      const name = table ?? ECB_URL;
      const bytes = /^https?:/.test(name) ? await download(new URL(name)) : readTable(name);
      const added = toRates(bytes, name);
      const path = isDayRates(bytes) ? otherRatesOf(pathOfRates()) : pathOfRates();
      const own = existsSync(path) ? joinRates(toRates(readFileSync(path), path), added) : added;
      writeRatesFile(path, own);
      writeRates(options, readRates(pathOfRates()));
    });
}

function pathOfRates(): string {
  return dataPathsOf(readSettings().dataDir).rates;
}

function readTable(path: string): Buffer {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  return readFileSync(path);
}

/** Whoever names another URL than the ECB's vouches for it. */
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

function writeRates(options: AnswerOptions, tables: readonly ExchangeRates[]): void {
  const { source } = BUNDLED_RATES;
  const [ecb = { days: [], perEuroByCode: new Map() }, other] = tables;
  const [first, last] = [ecb.days[0] ?? 0, ecb.days.at(-1) ?? 0];
  const currencies = codesOf([ecb]).toSorted();
  const current = currencies.filter((code) => ecb.perEuroByCode.get(code)?.has(last));
  const old = describeOldRates(ecb, Date.now());
  const others = other && {
    last: toDate(other.days.at(-1) ?? 0),
    currencies: codesOf([other])
      .filter((code) => !current.includes(code))
      .toSorted(),
  };
  const lines = [
    `Rates of the ${source} from ${toDate(first)} to ${toDate(last)}.`,
    `Quoted on the last day: ${current.join(' ')}`,
    ...(others ? [`Others, up to ${others.last}: ${others.currencies.join(' ')}`] : []),
    ...(old === undefined ? [] : [old]),
  ];
  writeAnswer(
    options,
    { first: toDate(first), last: toDate(last), source, currencies, current, others, old },
    `${lines.join('\n')}\n`,
  );
}
