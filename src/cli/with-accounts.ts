import type { Command } from 'commander';
import { COMMAND_LINE } from '#accounts/audit/audit.ts';
import { toAuditedCommand } from '#accounts/audit/audited-commands.ts';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';
import { readServerUrl } from './find-server.ts';

/** Runs `work` with the accounts of `DATA_DIR` and the URL that links to the server start with. */
export function withAccounts<T>(work: (accounts: Accounts, server: string) => T): T {
  const { baseUrl, dataDir, port } = readSettings();
  const accounts = openAccounts({ path: dataPathsOf(dataDir).accounts, baseUrl });
  try {
    return work(accounts, baseUrl ?? readServerUrl(dataDir) ?? `http://127.0.0.1:${port}`);
  } finally {
    accounts.close();
  }
}

/** Records a command in the audit log, if it changed something. */
export function noteCommand(_program: Command, command: Command): void {
  if (process.channel !== undefined) return; // The server that started it has recorded who asked for it.
  const change = toAuditedCommand(process.argv.slice(2), command.opts().site);
  if (change !== undefined) withAccounts(({ audit }) => audit.note(COMMAND_LINE, change));
}
