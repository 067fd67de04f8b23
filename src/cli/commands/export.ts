import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import { EXPORT_FORMATS, EXPORTS, type Exported, type ExportFormat } from '#contract/exports.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import type { FileParts } from '#report/exports/create-exports.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import type { ReportWarehouse } from '#report/ports.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { readSettings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type AnswerOptions, ofSiteCommand, writeAnswer } from '../io/answer.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

type ExportOptions = AnswerOptions &
  Readonly<Record<'site' | 'period', string>> &
  Partial<Readonly<Record<'out' | 'from' | 'to', string>>> & {
    readonly format: ExportFormat;
    readonly bots?: boolean;
  };

/** `tributary export`: writes everything of a period to a file. */
export function exportCommand(): Command {
  return ofSiteCommand('export', 'write everything of a period to a file')
    .addArgument(new Argument('<content>', 'what to export').choices(EXPORTS))
    .addOption(
      new Option('--format <format>', 'how to write it').choices(EXPORT_FORMATS).default('csv'),
    )
    .option('--out <file>', 'the file; by default, the output of this command')
    .option('--period <period>', 'the period: 30d, month, year, all …', 'all')
    .option('--from <day>', 'with --to, instead of --period: the first day')
    .option('--to <day>', 'with --from: the last day')
    .option('--bots', 'include events and visits of bots')
    .action((content: Exported, options: ExportOptions, command: Command) => {
      const { from, to, out, json } = options;
      if ((from === undefined) !== (to === undefined)) {
        command.error('error: --from and --to come together');
      }
      if (json === true && out === undefined) command.error('error: --json needs --out FILE');
      const folder = dirname(out ?? '.');
      if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
      return exportTo(content, options);
    });
}

async function exportTo(content: Exported, options: ExportOptions): Promise<void> {
  const { site: named, format, out, from, to } = options;
  const bytes = await withLedger(async (ledger) => {
    const site = await findSiteOrThrow(ledger, named, { removed: true });
    return withWarehouse(readSettings(), async (own) => {
      const warehouse = asReport(own);
      const exports = createReports({ warehouse, now: Date.now }).exports(
        ledger,
        createListPayments(warehouse, ledger),
      );
      const opened = await exports.open(site, {
        ...{ content, format, isPersonal: true, bots: options.bots === true },
        date_range: from !== undefined && to !== undefined ? [from, to] : options.period,
      });
      if (!opened.ok) throw new Error(opened.error.details.map((each) => each.message).join(' '));
      const { parts, bytes } = countBytes(opened.value);
      await (out === undefined
        ? pipeline(parts, process.stdout, { end: false })
        : writeFile(parts, out));
      return bytes();
    });
  });
  const answer = { content, format, file: out, bytes };
  if (out !== undefined) writeAnswer(options, answer, `Wrote ${out}: ${toMegabytes(bytes)}.`);
}

/** Its statements are those of reports, so that the server's lookups do not wait for them. */
function asReport(warehouse: Warehouse): ReportWarehouse {
  return {
    select: (statement, options) => warehouse.select(statement, { isReport: true, ...options }),
    selectFile: (statement, format, options) =>
      warehouse.selectFile(statement, format, { isReport: true, ...options }),
  };
}

/** Writes a file that has its name only once it is whole. */
async function writeFile(parts: FileParts, path: string): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await pipeline(parts, createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

const SHOWN_EVERY_MS = 1_000;

/** Passes parts on, and says on stderr once a second how much there is. */
function countBytes(parts: FileParts) {
  let bytes = 0;
  let shownAt = performance.now();
  async function* counted() {
    for await (const part of parts) {
      yield part;
      bytes += part.length;
      if (performance.now() - shownAt < SHOWN_EVERY_MS) continue;
      shownAt = performance.now();
      process.stderr.write(
        process.stderr.isTTY ? `\r${toMegabytes(bytes)}` : `${toMegabytes(bytes)}\n`,
      );
    }
    if (process.stderr.isTTY) process.stderr.write('\r');
  }
  return { parts: counted(), bytes: () => bytes };
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
