import { type Command, Option } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import type { Import, Undone } from '#domain/money/import.ts';
import type { Site } from '#domain/site/site.ts';
import { FORMAT_NAMES } from '#imports/formats/find-format.ts';
import type { ReadingOptions } from '#imports/formats/format.ts';
import { type AcceptReports, importPayments } from '#imports/import-payments.ts';
import { openPaymentFile } from '#imports/read-lines.ts';
import type { ImportTally } from '#imports/tally.ts';
import { type Ledger, openTrial } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { createProgress } from '../io/create-progress.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';
import { type OpenedFile, withFile } from './open-file.ts';
import { formatTally } from './to-text.ts';

type ImportOptions = AnswerOptions &
  ReadingOptions & {
    readonly site: string;
    readonly format: string;
    readonly dryRun?: boolean;
    readonly strict?: boolean;
  };

/** `tributary payment import`: records the payments of a CSV file. */
export function importCommand(): Command {
  const description = 'record the payments of a CSV file; the same file again changes nothing';
  return jsonCommand('import', description)
    .requiredOption('--site <site>', 'the site’s domain or id')
    .argument('<file>', 'the file; "-" reads stdin')
    .addOption(
      new Option('--format <format>', 'the file’s columns; "auto" finds them by the header')
        .choices(['auto', ...FORMAT_NAMES])
        .default('auto'),
    )
    .option('--dry-run', 'list wrong lines and what would be recorded, and record nothing')
    .option('--strict', 'record nothing if a line is wrong')
    .addOption(new Option('--dates <order>', DATES).choices(['day-first', 'month-first']))
    .addOption(new Option('--amounts <unit>', AMOUNTS).choices(['units', 'minor']))
    .action((path: string, options: ImportOptions) =>
      withLedger((ledger) => withFile(path, (file) => runImport(ledger, file, options))),
    );
}

const DATES = 'how to read 03/04/2026 where no line makes it clear';
const AMOUNTS = 'how to read 2900 where no line makes it clear';

async function runImport(ledger: Ledger, opened: OpenedFile, options: ImportOptions) {
  const site = await findSiteOrThrow(ledger, options.site);
  const format = options.format === 'auto' ? undefined : options.format;
  const file = await openPaymentFile(opened.openBytes, { ...options, format });
  const read = (accept: AcceptReports) =>
    importPayments(file, { timezone: site.timezone, now: Date.now, accept });
  const show = (tally: ImportTally, id?: string) => {
    const { format, ignored: ignored_columns } = file;
    const answer = { id, file: opened.name, format: format.name, ...tally, ignored_columns };
    const text = formatTally(file, tally, { timezone: site.timezone, id });
    writeAnswer(options, answer, text);
    if (tally.wrong_lines > 0) process.exitCode = 1;
  };

  if (options.dryRun || options.strict) {
    const tried = await tryAll(site, read);
    if (options.dryRun || tried.wrong_lines > 0) return show(tried);
  }
  const { name, digest } = opened;
  const begun = { siteId: site.id, file: name, format: file.format.name, digest };
  const id = await ledger.beginImport(begun);
  const tally = await read((reports) => ledger.acceptImported(id, site.id, reports));
  await ledger.finishImport(id);
  show(tally, id);
}

async function tryAll(
  site: Site,
  read: (accept: AcceptReports) => Promise<ImportTally>,
): Promise<ImportTally> {
  const { dataDir, databaseUrl } = readSettings();
  const trial = await openTrial(dataPathsOf(dataDir, databaseUrl).ledger);
  try {
    return await read((reports) => trial.accept(site.id, reports));
  } finally {
    await trial.close();
  }
}

/** `tributary payment imports`: lists imports. */
export function importsCommand(): Command {
  return jsonCommand('imports', 'list imports, latest first')
    .option('--site <site>', 'only the imports of this site, by domain or id')
    .action(({ site, ...options }: AnswerOptions & { readonly site?: string }) =>
      withLedger(async (ledger) => {
        const siteId = site === undefined ? undefined : (await findSiteOrThrow(ledger, site)).id;
        const found = await ledger.listImports(siteId);
        const answers = found.map((each) => toAnswer(ledger, each));
        const rows = answers.map((each) => [
          ...[each.id, each.started_at, each.site, each.file, each.format, each.state],
          String(each.transactions),
        ]);
        const heading = ['ID', 'STARTED', 'SITE', 'FILE', 'FORMAT', 'STATE', 'TRANSACTIONS'];
        writeAnswer(options, answers, toTable(heading, rows, 'Nothing has been imported.'));
      }),
    );
}

function toAnswer(ledger: Ledger, { id, siteId, file, format, ...found }: Import) {
  const { startedAt, finishedAt, undoneAt, transactions } = found;
  const site = ledger.findSite(siteId)?.domain ?? siteId;
  const state =
    undoneAt !== undefined ? 'undone' : finishedAt === undefined ? 'interrupted' : 'done';
  const started_at = new Date(startedAt).toISOString();
  return { id, started_at, site, file, format, state, transactions };
}

/** `tributary payment undo-import`: withdraws what an import first recorded. */
export function undoImportCommand(): Command {
  return jsonCommand(
    'undo-import',
    'withdraw the payments and refunds that an import first recorded and nobody else reports',
  )
    .argument('<id>', 'the id shown by "payment imports"')
    .action((id: string, options: AnswerOptions) =>
      withLedger(async (ledger) => {
        const found = (await ledger.listImports()).find((each) => each.id === id);
        if (found === undefined) {
          const listed = `"${PROGRAM} payment imports" lists the imports`;
          throw new Error(`There is no import ${id}; ${listed}.`);
        }
        const undone = await ledger.undoImport(id, showEvery(found.transactions));
        writeAnswer(options, { id, ...undone }, toUndoneText(undone));
      }),
    );
}

/** Few transactions are withdrawn before anybody looks. */
const PROGRESS_FROM = 5_000;

function showEvery(transactions: number): (withdrawn: number) => void {
  return transactions < PROGRESS_FROM ? () => {} : createProgress(transactions, 'transactions');
}

const REASONS: Readonly<Record<keyof Undone['stay'], string>> = {
  api: 'were reported to the API since',
  provider: 'were stated by a connected provider since',
  import: 'are in another import, too',
  hand: 'were changed by hand since',
};

function toUndoneText({ withdrawn, stay }: Undone): string {
  const lines = Object.entries(stay)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} stay: they ${REASONS[reason as keyof Undone['stay']]}.`);
  return [`Withdrew ${withdrawn} transactions.`, ...lines].join('\n');
}
