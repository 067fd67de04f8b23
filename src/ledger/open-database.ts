import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert } from '#domain/assert.ts';
import { MIGRATIONS } from './migrations.ts';

/** The oldest SQLite without the WAL-reset bug. */
const SQLITE_MIN = [3, 51, 3] as const;

/** How long a connection waits for another one's transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/** Pages of the log after which the committing thread copies them into the database. */
const CHECKPOINT_PAGES = 4_000;

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
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA wal_autocheckpoint = ${options.checkpoints ? CHECKPOINT_PAGES : 0};
      PRAGMA journal_size_limit = 67108864;
    `);
    assertDurable(db);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * What `work` answers, all of its changes committed and fsynced, or none of them.
 *
 * - Throws what `work` or the commit throws, after the rollback.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const answer = work();
    db.exec('COMMIT');
    return answer;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
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

function assertDurable(db: DatabaseSync): void {
  const text = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
  assert(isAtLeast(text.split('.').map(Number), SQLITE_MIN), `SQLite ${text} is recent enough`);
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {};
  assert(synchronous === 2, 'the ledger is synchronous=FULL');
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode').get() ?? {};
  assert(mode === 'wal', 'the ledger is in WAL mode');
}

function isAtLeast(version: readonly number[], min: readonly number[]): boolean {
  const differences = min.map((part, index) => (version[index] ?? 0) - part);
  return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
}

/** Step by step, each in a transaction of its own; several processes may open at once. */
function migrate(db: DatabaseSync): void {
  assert(versionOf(db) <= MIGRATIONS.length, 'the ledger is not of a later release');
  while (versionOf(db) < MIGRATIONS.length) {
    inTransaction(db, () => {
      const version = versionOf(db); // Again: another process may have been faster.
      const step = MIGRATIONS[version];
      if (step !== undefined) db.exec(`${step}; PRAGMA user_version = ${version + 1}`);
    });
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}
