import { makeDatabase } from '../run/start-postgres.ts';

/** The server of PostgreSQL on which the tests of the ledger run; unset for SQLite. */
export const LEDGER_SERVER = 'TRIBUTARY_TEST_LEDGER';

/** Where a test has its ledger: in a new database of PostgreSQL, or in this file. */
export async function findLocation(path: string): Promise<string> {
  const server = process.env[LEDGER_SERVER];
  return server === undefined ? path : makeDatabase(server);
}

/** What owns the ledger of a server. */
export const LEDGER_THREAD = {
  module: new URL('../../src/app/ledger-thread.ts', import.meta.url),
  clockPath: '/nowhere',
};
