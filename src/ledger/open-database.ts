import type { DatabaseSync } from 'node:sqlite';
import { crashPoint } from '#storage/crash-points.ts';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { LEDGER_SCHEMA, LEDGER_VERSION } from './schema.ts';

/**
 * A connection to the ledger at `path`, made when it is not yet.
 *
 * - Throws when SQLite is not what durability needs, or the file is of another version of this program.
 * - Why only the committing thread copies the log back (`checkpoints`): the others must not stall
 *   for it. The last connection to close does it anyway.
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

/** What `read` answers of one instant's view of several tables. */
export function inSnapshot<T>(db: DatabaseSync, read: () => T): T {
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    if (db.isTransaction) db.exec('COMMIT'); // A file that cannot be read has ended it.
  }
}

/** In one transaction, as several connections may open an empty file at once. */
function makeTables(db: DatabaseSync, path: string): void {
  if (versionOf(db) === LEDGER_VERSION) return;
  inTransaction(db, () => {
    const version = versionOf(db); // Again: another connection may have been faster.
    if (version === LEDGER_VERSION) return;
    if (version !== 0) {
      throw new Error(`${path} is of another version of Tributary: begin with an empty DATA_DIR.`);
    }
    db.exec(`${LEDGER_SCHEMA}; PRAGMA user_version = ${LEDGER_VERSION}`);
    crashPoint('before', 'ledger schema'); // Done, and not committed.
  });
  crashPoint('after', 'ledger schema');
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
