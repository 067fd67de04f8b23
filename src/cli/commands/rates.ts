import { existsSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { codesOf, type ExchangeRates, joinRates } from '#domain/money/exchange-rates.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { sendGuarded } from '#enrich/guarded-request.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { BUNDLED_RATES, readRates, toRates } from '#warehouse/rates/read-rates.ts';
import { writeRatesFile } from '#warehouse/rates/write-rates-file.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';

const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';
const DOWNLOAD_MAX_MS = 30_000;

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
  const table = "the European Central Bank's eurofxref-hist table (.zip or .csv)";
  return jsonCommand('update', `add rates from ${table}`)
    .argument('[file]', 'the table’s file')
    .option('--from-ecb', `download the table from ${ECB_URL}`)
    .action(async (file: string | undefined, options: AnswerOptions & { fromEcb?: boolean }) => {
      const added = await readAdded(file, options.fromEcb === true);
      const path = pathOfRates();
      const own = existsSync(path) ? joinRates(toRates(readFileSync(path), path), added) : added;
      writeRatesFile(path, own);
      writeRates(options, readRates(path));
    });
}

function pathOfRates(): string {
  return dataPathsOf(readSettings().dataDir).rates;
}

async function readAdded(file: string | undefined, fromEcb: boolean): Promise<ExchangeRates> {
  if (file !== undefined && !fromEcb) {
    if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
    return toRates(readFileSync(file), file);
  }
  if (!fromEcb || file !== undefined) {
    throw new Error('Give either a file with the table, or --from-ecb to download it.');
  }
  const signal = AbortSignal.timeout(DOWNLOAD_MAX_MS);
  const asked = { body: '', isTrusted: false, signal };
  const answer = await sendGuarded(new URL(ECB_URL), asked);
  if (answer.statusCode !== 200) throw new Error(`${ECB_URL} answered ${answer.statusCode}.`);
  return toRates(await buffer(answer), ECB_URL);
}

function writeRates(options: AnswerOptions, rates: ExchangeRates): void {
  const { source } = BUNDLED_RATES;
  const [firstDay = 0, lastDay = 0] = [rates.days[0], rates.days.at(-1)];
  const [first, last] = [firstDay, lastDay].map((day) =>
    new Date(day * DAY_MS).toISOString().slice(0, 10),
  );
  const currencies = codesOf(rates).toSorted();
  const current = currencies.filter((code) => rates.perEuroByCode.get(code)?.has(lastDay));
  writeAnswer(
    options,
    { first, last, source, currencies, current },
    `Rates of the ${source} from ${first} to ${last}.\nQuoted on the last day: ${current.join(' ')}\n`,
  );
}
