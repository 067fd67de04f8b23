import type { DatabaseSync } from 'node:sqlite';
import { crashPoint } from '#storage/crash-points.ts';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { LEDGER_SCHEMA, LEDGER_VERSION } from './schema.ts';

/**
 * Opens or creates the ledger database at `path`.
 *
 * - Throws if SQLite cannot guarantee durability, or if the file belongs to another version of this program.
 * - Why only the committing thread runs checkpoints: the others must not stall for them. The last
 *   connection to close always runs one.
 */
export function openDatabase(
  path: string,
  options: { readonly checkpoints: boolean },
): DatabaseSync {
  const db = openDurableDatabase(path, options);
  try {
    makeTables(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Runs `read` on one consistent snapshot of all tables, and returns its result. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    if (db.isTransaction) db.exec('COMMIT'); // An unreadable file has ended the transaction.
  }
}

/** Creates the tables in one transaction, because several connections may open an empty file at once. */
function makeTables(db: DatabaseSync, path: string): void {
  if (versionOf(db) === LEDGER_VERSION) return;
  inTransaction(db, () => {
    const version = versionOf(db); // Check again: another connection may have been faster.
    if (version === LEDGER_VERSION) return;
    if (version !== 0) {
      throw new Error(`${path} is of another version of Tributary: begin with an empty DATA_DIR.`);
    }
    db.exec(`${LEDGER_SCHEMA}; PRAGMA user_version = ${LEDGER_VERSION}`);
    crashPoint('before', 'ledger schema'); // Done, but not committed.
  });
  crashPoint('after', 'ledger schema');
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
