import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { sizeOf } from '#storage/is-lost.ts';
import { ACCOUNTS_SCHEMA, ACCOUNTS_VERSION, ADDED_TABLES } from './schema.ts';

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 32;

/** The open accounts database, and the secret stored in it. */
export type AccountsDatabase = { readonly db: DatabaseSync; readonly secret: string };

/**
 * Opens the accounts database, or creates it if it may, readable by its owner only.
 *
 * - Throws if the file is lost or damaged, or belongs to another version of Tributary. The message names it.
 */
export function openAccountsDatabase(path: string, mayCreate = true): AccountsDatabase {
  let db: DatabaseSync | undefined;
  try {
    if (!mayCreate && !sizeOf(path)) throw new Error('it is missing or empty, beside older data.');
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', OWNER_ONLY));
    chmodSync(path, OWNER_ONLY); // SQLite gives its log the same mode.
    db = openDurableDatabase(path, { checkpoints: true });
    makeTables(db);
    db.exec(ADDED_TABLES);
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() ?? {};
    const { value: secret } = db.prepare('SELECT value FROM secret').get() ?? {};
    if (found !== 'ok' || typeof secret !== 'string') throw new Error(`it is damaged (${found}).`);
    return { db, secret };
  } catch (error) {
    db?.close();
    const { message } = error as Error;
    throw new Error(`The file of logins, ${path}, cannot be used: ${message}`, { cause: error });
  }
}

function makeTables(db: DatabaseSync): void {
  inTransaction(db, () => {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version === ACCOUNTS_VERSION) return;
    if (version !== 0) {
      throw new Error('it belongs to another version of Tributary.');
    }
    db.exec(`${ACCOUNTS_SCHEMA}; PRAGMA user_version = ${ACCOUNTS_VERSION}`);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    db.prepare('INSERT INTO secret (value) VALUES (?)').run(secret);
  });
}
