import { resolve } from 'node:path';
import { Command } from 'commander';
import { makeAccountsSchema } from '#accounts/migrations/schema.ts';
import { openAccountsDatabase } from '#accounts/open-database.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { LEDGER } from '#ledger/schema/schema.ts';
import { type DataPaths, dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { type ComparedTable, copyTables, countRows, tablesOf } from '#storage/sql/copy-tables.ts';
import { type Database, isPostgres } from '#storage/sql/sql.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { createProgress } from '../io/create-progress.ts';

/** `tributary ledger`: moves ledger and logins between databases. */
export function ledgerCommand(): Command {
  return new Command('ledger')
    .description('copy ledger and logins to another database')
    .addCommand(copyCommand());
}

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
      if (to.ledger === from.ledger) throw new Error('Ledger and logins are there already.');
      const lock = takeProcessLock(from.serveLock, 0);
      try {
        const tables = [...(await copyLedger(from, to)), ...(await copyAccounts(from, to))];
        const isExact = lock !== undefined;
        writeAnswer(options, { tables, exact: isExact }, toText(tables, isExact));
        if (tables.some((table) => !isSame(table))) process.exitCode = 1;
      } finally {
        lock?.release();
      }
    });
}

async function copyLedger(from: DataPaths, to: DataPaths): Promise<ComparedTable[]> {
  const source = await openDatabase(from.ledger, { checkpoints: false });
  const target = await openDatabase(to.ledger, { checkpoints: true });
  try {
    return await copy(source, target, LEDGER.tables);
  } finally {
    await source.close();
    await target.close();
  }
}

async function copyAccounts(from: DataPaths, to: DataPaths): Promise<ComparedTable[]> {
  const source = await openAccountsDatabase(from.accounts);
  const target = await openAccountsDatabase(to.accounts);
  try {
    return await copy(source.db, target.db, makeAccountsSchema().tables);
  } finally {
    await source.close();
    await target.close();
  }
}

async function copy(source: Database, target: Database, schema: string): Promise<ComparedTable[]> {
  const tables = tablesOf(schema);
  const show = createProgress(await countRows(source, tables), 'rows');
  let copied = 0;
  return copyTables(source, target, tables, (rows) => {
    copied += rows;
    show(copied);
  });
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
