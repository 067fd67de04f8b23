import { LEDGER } from '#ledger/schema/schema.ts';
import { emptySchema, makeDatabase, makeSchema } from '../run/start-postgres.ts';

/** The server of PostgreSQL on which the tests of the ledger run; unset for SQLite. */
export const LEDGER_SERVER = 'TRIBUTARY_TEST_LEDGER';

let database: Promise<string> | undefined;
/** Schemas that tests have left, as empty as new ones. */
const left: string[] = [];

/** Where a test has its ledger: in an empty schema of its process's database of PostgreSQL, or in this SQLite file. */
export async function findLocation(path: string): Promise<string> {
  const server = process.env[LEDGER_SERVER];
  if (server === undefined) return path;
  database ??= makeDatabase(server);
  return left.pop() ?? makeSchema(await database);
}

/** Gives a location back once its ledger is closed: making 40 tables anew takes most of a test's time. */
export async function leaveLocation(location: string): Promise<void> {
  if (process.env[LEDGER_SERVER] === undefined) return;
  const [...rows] = LEDGER.tables.matchAll(/^ *INSERT INTO [^;]+;/gm);
  await emptySchema(location, rows.join(''));
  left.push(location);
}

/** What owns the ledger of a server. */
export const LEDGER_THREAD = {
  module: new URL('../../src/app/ledger-thread.ts', import.meta.url),
  clockPath: '/nowhere',
};
