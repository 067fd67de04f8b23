import { Command } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import type { CostFileAnswer, CostImportsAnswer } from '#contract/sites/costs.ts';
import { countNoun } from '#domain/count-noun.ts';
import { importCosts, readCostFile, toCostImports } from '#imports/import-costs.ts';
import { withFile } from '../imports/open-file.ts';
import { toFaults } from '../imports/to-text.ts';
import { ofSiteCommand, type SiteOptions, toTable, writeAnswer } from '../io/answer.ts';
import { assertOrder, readDay } from '../io/option-values.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

/** `tributary cost`: imports, lists and removes what was spent on campaigns. */
export function costCommand(): Command {
  return new Command('cost')
    .description('import, list and remove what was spent on campaigns')
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

type ImportOptions = SiteOptions & { readonly wholeDays?: boolean; readonly dryRun?: boolean };

function importCommand(): Command {
  const description =
    'record the costs of a CSV file: date, source, medium, campaign, amount, currency; a line replaces the cost with the same first four';
  return ofSiteCommand('import', description)
    .argument('<file>', 'the file; "-" reads stdin')
    .option('--whole-days', 'remove other costs of the file’s days and sources')
    .option('--dry-run', 'list wrong lines and what would be recorded, and record nothing')
    .action((path: string, options: ImportOptions) =>
      withLedger((ledger) =>
        withFile(path, async (opened) => {
          const site = await findSiteOrThrow(ledger, options.site);
          const context = { timezone: site.timezone, now: Date.now() };
          const read = await readCostFile(opened.openBytes, context);
          const { wholeDays: isWhole = false, dryRun: isTrial = false } = options;
          const answer = await importCosts(
            { ...read, name: opened.name },
            (costs, change) => ledger.recordCosts(site.id, costs, change),
            { isWhole, isTrial },
          );
          writeAnswer(options, answer, toText(answer, site.domain));
          if (answer.wrong_lines > 0) process.exitCode = 1;
        }),
      ),
    );
}

function toText(answer: CostFileAnswer, site: string): string {
  const { id, lines, first_day, last_day, ignored_columns: ignored, rounded_lines } = answer;
  const span = first_day === undefined ? '' : `, from ${first_day} to ${last_day}`;
  const verb = id === undefined ? 'Would record' : 'Recorded';
  const { added, replaced, unchanged, removed, kept } = answer;
  const parts = [
    `Read ${countNoun(lines, 'line')}${span}: ${toMoney(answer)}.`,
    answer.wrong_lines > 0
      ? 'Nothing is recorded while a line is wrong.'
      : `${verb} ${countNoun(added, 'new cost')} and ${replaced} that replace others; ${unchanged} are already there.`,
    removed > 0 ? `Others of these days and sources, removed: ${removed}.` : '',
    kept > 0 ? `Others of these days and sources, kept: ${kept}. --whole-days removes them.` : '',
    rounded_lines > 0 ? `Amounts rounded to what their currency has: ${rounded_lines}.` : '',
    ignored.length > 0 ? `Columns that are not read: ${ignored.join(', ')}` : '',
    toFaults(answer),
    id === undefined
      ? ''
      : `Imported as ${id}. To remove it: ${PROGRAM} cost remove ${id} --site ${site}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function toMoney({ sums }: Pick<CostFileAnswer, 'sums'>): string {
  return sums.map(({ value, currency }) => `${value} ${currency}`).join(', ') || 'no costs';
}

function listCommand(): Command {
  return ofSiteCommand('list', 'list the imports whose costs count, latest first').action(
    (options: SiteOptions) =>
      withLedger(async (ledger) => {
        const { id } = await findSiteOrThrow(ledger, options.site);
        const { imports } = toCostImports(await ledger.listCostImports(id));
        writeAnswer(options, imports, toTable(HEADING, imports.map(toRow), 'There are no costs.'));
      }),
  );
}

const HEADING = ['ID', 'IMPORTED', 'FILE', 'COSTS', 'FROM', 'TO', 'SPENT'];

function toRow(each: CostImportsAnswer['imports'][number]): string[] {
  const { id, imported_at: at = '', file, costs, first_day = '', last_day = '' } = each;
  return [id, at.slice(0, 16), file, String(costs), first_day, last_day, toMoney(each)];
}

type RemoveOptions = SiteOptions & { readonly source?: string } & {
  readonly [End in 'from' | 'until']?: Temporal.PlainDate;
};

function removeCommand(): Command {
  const description = 'remove the costs of an import, or of days';
  return ofSiteCommand('remove', description)
    .argument('[id]', 'the id shown by "cost list"; "api" for what requests have sent')
    .option('--from <day>', 'the first day', readDay)
    .option('--until <day>', 'the last day', readDay)
    .option('--source <name>', 'only of this source, by its name in reports')
    .action((id: string | undefined, options: RemoveOptions, command: Command) => {
      const { from, until, source } = options;
      if ((id === undefined) === (from === undefined || until === undefined)) {
        command.error('error: give either the id of an import, or --from and --until');
      }
      assertOrder(command, from, until);
      return withLedger(async (ledger) => {
        const { id: siteId } = await findSiteOrThrow(ledger, options.site);
        const imports = id === undefined ? [] : await ledger.listCostImports(siteId);
        if (id !== undefined && !imports.some((each) => each.id === id)) {
          throw new Error(`There is no import ${id}; "${PROGRAM} cost list" lists the imports.`);
        }
        const days = { from: `${from}`, until: `${until}`, source };
        const removed = await ledger.removeCosts(
          siteId,
          id === undefined ? days : { importId: id },
        );
        writeAnswer(options, { removed }, `Removed ${countNoun(removed, 'cost')}.`);
      });
    });
}
