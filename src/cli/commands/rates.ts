import { Command } from 'commander';
import { describeOldRates, toDate } from '#domain/money/rates/describe-old-rates.ts';
import { codesOf, type ExchangeRates } from '#domain/money/rates/exchange-rates.ts';
import { ECB_URL } from '#enrich/rates/rates-url.ts';
import { BUNDLED_RATES, readRates } from '#enrich/rates/read-rates.ts';
import { updateRates } from '#enrich/rates/update-rates.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';

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

type UpdateOptions = AnswerOptions & { readonly fromEcb?: boolean };

function updateCommand(): Command {
  const table = "the European Central Bank's eurofxref table (.zip or .csv)";
  return jsonCommand('update', `add rates from ${table}, or of one day in other currencies (.json)`)
    .argument('[table]', 'the table’s file or URL')
    .option('--from-ecb', `download the table from ${ECB_URL}`)
    .action(async (table: string | undefined, options: UpdateOptions, command: Command) => {
      if ((table === undefined) !== (options.fromEcb === true)) {
        command.error('error: give either a file with the table, or its URL, or --from-ecb');
      }
      writeRates(options, await updateRates(pathOfRates(), table ?? ECB_URL));
    });
}

function pathOfRates(): string {
  return dataPathsOf(readSettings().dataDir).rates;
}

function writeRates(options: AnswerOptions, tables: readonly ExchangeRates[]): void {
  const { source } = BUNDLED_RATES;
  const [ecb = { days: [], perEuroByCode: new Map() }, other] = tables;
  const [first, last] = [ecb.days[0] ?? 0, ecb.days.at(-1) ?? 0];
  const currencies = codesOf([ecb]).toSorted();
  const current = currencies.filter((code) => ecb.perEuroByCode.get(code)?.has(last));
  const old = describeOldRates(last, Date.now());
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
