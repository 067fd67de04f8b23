import { makeDatabase, makeSchema } from '../run/start-postgres.ts';

/** The server of PostgreSQL on which the tests of the ledger run; unset for SQLite. */
export const LEDGER_SERVER = 'TRIBUTARY_TEST_LEDGER';

let database: Promise<string> | undefined;
/** Where a test has its ledger: in a new schema of its file's database of PostgreSQL, or in this SQLite file. */
export async function findLocation(path: string): Promise<string> {
  const server = process.env[LEDGER_SERVER];
  if (server === undefined) return path;
  database ??= makeDatabase(server);
  return makeSchema(await database);
}

/** What owns the ledger of a server. */
export const LEDGER_THREAD = {
  module: new URL('../../src/app/ledger-thread.ts', import.meta.url),
  clockPath: '/nowhere',
};
