import { resolve } from 'node:path';
import { Command } from 'commander';
import { openAccountsTables } from '#accounts/open-accounts.ts';
import { PROGRAM } from '#contract/program.ts';
import { openLedgerTables } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { readDataDirId } from '#storage/key-file.ts';
import { type ComparedTable, copyTables, countRows, tablesOf } from '#storage/sql/copy-tables.ts';
import { type Database, isPostgres } from '#storage/sql/sql.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { createProgress } from '../io/create-progress.ts';
import { withLedger } from '../stores/with-ledger.ts';

/** `tributary ledger`: moves ledger and logins between databases. */
export function ledgerCommand(): Command {
  return new Command('ledger')
    .description('copy ledger and logins to another database, or claim one')
    .addCommand(copyCommand())
    .addCommand(claimCommand());
}

const NO_LOCATION = 'Copies go to a URL that begins with postgres://, or a folder.';

type CopyOptions = AnswerOptions & { readonly to: string };

function copyCommand(): Command {
  return jsonCommand('copy', 'copy sites, keys, payments, persons and logins, and compare them')
    .requiredOption('--to <location>', 'postgres://user@host/database, or a folder for files')
    .action(async (options: CopyOptions) => {
      const { dataDir, databaseUrl } = readSettings();
      const from = dataPathsOf(dataDir, databaseUrl);
      const to = isPostgres(options.to)
        ? dataPathsOf(dataDir, options.to)
        : dataPathsOf(resolve(options.to));
      if (!isPostgres(options.to) && options.to.includes('://')) throw new Error(NO_LOCATION);
      if (to.ledger === from.ledger) throw new Error('Ledger and logins are there already.');
      const lock = takeProcessLock(from.serveLock, 0);
      try {
        const copied = { checkpoints: true };
        const tables = [
          ...(await copyStore(openLedgerTables(from.ledger), openLedgerTables(to.ledger, copied))),
          ...(await copyStore(openAccountsTables(from.accounts), openAccountsTables(to.accounts))),
        ];
        const isExact = lock !== undefined;
        writeAnswer(options, { tables, exact: isExact }, toText(tables, isExact));
        if (tables.some((table) => !isSame(table))) process.exitCode = 1;
      } finally {
        lock?.release();
      }
    });
}

const NO_DATABASE = 'DATABASE_URL is not set: the ledger in DATA_DIR belongs to it already.';
const CLAIMED = `The next server on this DATA_DIR may use the database; no other may. Run "${PROGRAM} rebuild" before it starts, unless the warehouse moved with it.`;

function claimCommand(): Command {
  return jsonCommand('claim', 'give the database in DATABASE_URL to DATA_DIR, from another').action(
    async (options: AnswerOptions) => {
      const { dataDir, databaseUrl } = readSettings();
      if (databaseUrl === undefined) throw new Error(NO_DATABASE);
      const id = readDataDirId(dataPathsOf(dataDir).dataDirId);
      await withLedger((ledger) => ledger.registerJournal(id, true));
      writeAnswer(options, { data_dir: resolve(dataDir) }, CLAIMED);
    },
  );
}

/** The tables of a store, with their schema. */
type Tables = { readonly db: Database; readonly schema: string; close(): Promise<void> };

async function copyStore(source: Promise<Tables>, target: Promise<Tables>) {
  const [from, to] = await Promise.all([source, target]);
  try {
    const tables = tablesOf(from.schema);
    const show = createProgress(await countRows(from.db, tables), 'rows');
    let copied = 0;
    return await copyTables(from.db, to.db, tables, (rows) => {
      copied += rows;
      show(copied);
    });
  } finally {
    await from.close();
    await to.close();
  }
}

function isSame({ from, to }: ComparedTable): boolean {
  return from.rows === to.rows && from.sum === to.sum;
}

function toText(tables: readonly ComparedTable[], isExact: boolean): string {
  const rows = tables.map((table) => [
    ...[table.table, `${table.from.rows}`, `${table.to.rows}`, isSame(table) ? 'ok' : 'DIFFERS'],
  ]);
  const end = isExact
    ? 'The copy is exact. Set DATABASE_URL to it, or DATA_DIR, before the next start.'
    : 'A server is running: what it has recorded since is not in the copy. Stop it and repeat.';
  return `${toTable(['table', 'rows', 'copied', ''], rows)}\n\n${end}`;
}
