import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { ACCOUNTS_SCHEMA, ACCOUNTS_VERSION, ADDED_TABLES } from './schema.ts';

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 32;

/** The open accounts database, and the secret stored in it. */
export type AccountsDatabase = { readonly db: DatabaseSync; readonly secret: string };

/**
 * Opens the accounts database, or creates it, readable by its owner only.
 *
 * - Throws if SQLite cannot guarantee durability, or the file belongs to another version of Tributary.
 */
export function openAccountsDatabase(path: string): AccountsDatabase {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', OWNER_ONLY));
  chmodSync(path, OWNER_ONLY); // SQLite gives its log the same mode.
  const db = openDurableDatabase(path, { checkpoints: true });
  try {
    makeTables(db, path);
    db.exec(ADDED_TABLES);
    const secret = String(db.prepare('SELECT value FROM secret').get()?.value);
    return { db, secret };
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeTables(db: DatabaseSync, path: string): void {
  inTransaction(db, () => {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version === ACCOUNTS_VERSION) return;
    if (version !== 0) {
      throw new Error(
        `${path} belongs to another version of Tributary. Start with an empty DATA_DIR.`,
      );
    }
    db.exec(`${ACCOUNTS_SCHEMA}; PRAGMA user_version = ${ACCOUNTS_VERSION}`);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    db.prepare('INSERT INTO secret (value) VALUES (?)').run(secret);
  });
}
