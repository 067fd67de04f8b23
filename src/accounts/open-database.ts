import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDurableDatabase } from '#storage/durable-database.ts';
import { sizeOf } from '#storage/is-lost.ts';
import { backUp } from '#storage/sql/back-up.ts';
import { migrate, readVersion } from '#storage/sql/migrate.ts';
import { openPostgres } from '#storage/sql/postgres.ts';
import { type Database, isPostgres } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { makeAccountsSchema } from './migrations/schema.ts';

const OWNER_ONLY = 0o600;

/** The open accounts, and the secret stored in them. */
export type AccountsDatabase = {
  readonly db: Database;
  /** The same database for better-auth, which wants booleans and dates. */
  readonly loginsDb: Database;
  readonly secret: string;
  close(): Promise<void>;
};

/**
 * Opens the accounts at a location, the path of an SQLite file or the URL of a PostgreSQL database, or creates them if
 * it may. A file is readable by its owner only, and copied before it is brought to this version.
 *
 * - Throws if a file is lost or damaged, or if they are of another version of Tributary. The message names the file.
 */
export function openAccountsDatabase(
  location: string,
  mayCreate = true,
): Promise<AccountsDatabase> {
  return isPostgres(location) ? openServer(location, mayCreate) : openFile(location, mayCreate);
}

async function openServer(url: string, mayCreate: boolean): Promise<AccountsDatabase> {
  const [db, loginsDb] = [openPostgres(url), openPostgres(url, { isTyped: true })];
  const close = async () => void (await Promise.all([db.close(), loginsDb.close()]));
  try {
    const schema = makeAccountsSchema();
    if (!mayCreate && (await readVersion(db, schema.store)) === 0) {
      throw new Error('The database has no logins, beside older data.');
    }
    await migrate(db, schema);
    return { db, loginsDb, secret: await readSecret(db), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openFile(path: string, mayCreate: boolean): Promise<AccountsDatabase> {
  let file: DatabaseSync | undefined;
  try {
    if (!mayCreate && !sizeOf(path)) throw new Error('it is missing or empty, beside older data.');
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', OWNER_ONLY));
    chmodSync(path, OWNER_ONLY); // SQLite gives its log the same mode.
    file = openDurableDatabase(path, { checkpoints: true });
    const { quick_check: found } = file.prepare('PRAGMA quick_check(1)').get() ?? {};
    if (found !== 'ok') throw new Error(`it is damaged (${found}).`);
    const opened = file;
    const db = toDatabase(opened);
    await migrate(db, makeAccountsSchema(), {
      backUp: (version) => backUp(opened, `${path}.version-${version}`),
    });
    return { db, loginsDb: db, secret: await readSecret(db), close: () => db.close() };
  } catch (error) {
    file?.close();
    const { message } = error as Error;
    throw new Error(`The file of logins, ${path}, cannot be used: ${message}`, { cause: error });
  }
}

async function readSecret(db: Database): Promise<string> {
  const { value } = (await db.get('SELECT value FROM secret')) ?? {};
  if (typeof value !== 'string') throw new Error('it is damaged (no secret).');
  return value;
}
