import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert } from '#domain/assert.ts';

/** The oldest SQLite without the WAL-reset bug. */
const SQLITE_MIN = '3.51.3';

/** How long a connection waits for another one's transaction. */
const BUSY_TIMEOUT_MS = 5_000;
/** Log size in pages that triggers a checkpoint on a connection with checkpoints. */
const CHECKPOINT_PAGES = 4_000;

/**
 * Opens or creates the SQLite file at `path`. Every commit is fsynced. `checkpoints` says whether this connection
 * runs checkpoints; the last connection to close always does.
 *
 * - Throws if SQLite's version or modes do not guarantee durability.
 */
export function openDurableDatabase(
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
    assertDurable(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Runs `work` in a transaction and returns its result. All of its changes are committed and fsynced, or none.
 *
 * - Throws the error of `work` or of the commit, after the rollback.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  beginWrite(db);
  let answer: T;
  try {
    answer = work();
  } catch (error) {
    rollBack(db);
    throw error;
  }
  commit(db);
  return answer;
}

/** Begins a transaction that writes. It waits for those of other connections. */
export function beginWrite(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
}

/** Undoes the transaction, unless its failure has. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}

/** Commits and fsyncs the transaction. Throws if that fails; nothing of it is then recorded. */
export function commit(db: DatabaseSync): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    overwriteFailed(db);
    throw error;
  }
}

/** Whether an SQLite error means a damaged file: SQLITE_CORRUPT, _NOTADB or _IOERR_SHORT_READ. */
export function isDamage(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return [11, 26].includes(errcode & 0xff) || errcode === 522;
}

function assertDurable(db: DatabaseSync, path: string): void {
  const { version = '' } = db.prepare('SELECT sqlite_version() AS version').get() ?? {};
  const order = String(version).localeCompare(SQLITE_MIN, 'en', { numeric: true });
  assert(order >= 0, `SQLite ${version} is recent enough`);
  const { synchronous } = db.prepare('PRAGMA synchronous').get() ?? {};
  assert(synchronous === 2, `${path} is synchronous=FULL`);
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode').get() ?? {};
  assert(mode === 'wal', `${path} is in WAL mode`);
}

/**
 * Overwrites the pages of a failed commit in the log, if possible. They may be complete, and would then count as
 * committed after a crash. The value is random because SQLite skips unchanged pages; nothing reads it.
 */
function overwriteFailed(db: DatabaseSync): void {
  try {
    db.exec(`PRAGMA application_id = ${randomInt(2 ** 31)}`);
  } catch {
    // The disk rejects all writes. The first failure is reported.
  }
}
