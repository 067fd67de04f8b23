import type { DatabaseSync } from 'node:sqlite';
import { assert } from '#domain/assert.ts';
import { crashPoint } from '#storage/crash-points.ts';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * A connection to the ledger at `path`, made and migrated when it is not yet.
 *
 * - Throws when SQLite is not what durability needs, or the file is of a later release.
 * - Why only the committing thread copies the log back (`checkpoints`): the others must not stall
 *   for it. Whoever closes last does it anyway.
 */
export function openDatabase(
  path: string,
  options: { readonly checkpoints: boolean },
): DatabaseSync {
  const db = openDurableDatabase(path, options);
  try {
    migrate(db);
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
    db.exec('COMMIT');
  }
}

/** Step by step, each in a transaction of its own; several processes may open at once. */
function migrate(db: DatabaseSync): void {
  assert(versionOf(db) <= MIGRATIONS.length, 'the ledger is not of a later release');
  while (versionOf(db) < MIGRATIONS.length) {
    inTransaction(db, () => {
      const version = versionOf(db); // Again: another process may have been faster.
      const step = MIGRATIONS[version];
      if (step !== undefined) db.exec(`${step}; PRAGMA user_version = ${version + 1}`);
      crashPoint('before', 'ledger migration'); // Done, and not committed.
    });
    crashPoint('after', 'ledger migration');
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
