import type { Command } from 'commander';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import { COMMAND_LINE } from '#domain/account/audit.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { readSettings } from '#settings.ts';
import { isLost } from '#storage/is-lost.ts';
import { toAuditedCommand } from './audited-commands.ts';
import { findPublicUrl } from './find-server.ts';

/**
 * Runs `work` with the accounts of `DATA_DIR` and the URL that links to the server start with. `mayBegin`
 * lets it replace a lost file.
 */
export async function withAccounts<T>(
  work: (accounts: Accounts, server: string) => Promise<T>,
  { mayBegin = false } = {},
): Promise<T> {
  const { baseUrl, dataDir, databaseUrl } = readSettings();
  if (databaseUrl === undefined) assertDataDir(dataDir);
  const paths = dataPathsOf(dataDir, databaseUrl);
  const mayCreate = mayBegin || !isLost(paths.accounts, paths);
  const accounts = await openAccounts({ location: paths.accounts, baseUrl, mayCreate });
  try {
    return await work(accounts, findPublicUrl());
  } finally {
    await accounts.close();
  }
}

/** Records a command in the audit log, if it changed something. */
export async function noteCommand(_program: Command, command: Command): Promise<void> {
  if (process.channel !== undefined) return; // The server that started it has recorded who asked for it.
  const change = toAuditedCommand(process.argv.slice(2), command.opts().site);
  if (change === undefined) return;
  try {
    await withAccounts(({ audit }) => audit.note(COMMAND_LINE, change));
  } catch (error) {
    process.stderr.write(
      `tributary: Done, but not recorded in the audit log. ${(error as Error).message}\n`,
    );
  }
}
