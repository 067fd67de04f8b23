import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert } from '#domain/assert.ts';

/** The oldest SQLite without the WAL-reset bug. */
const SQLITE_MIN = '3.51.3';

/** How long a connection waits for another one's transaction. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages of the log after which a connection that copies it back into the database does so. */
const CHECKPOINT_PAGES = 4_000;

/**
 * A connection to the SQLite file at `path`, made when it is not yet; a commit on it is fsynced. `checkpoints` says
 * whether it copies the log back. The last connection to close does it anyway.
 *
 * - Throws when SQLite is not what durability needs.
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
 * What `work` answers, all of its changes committed and fsynced, or none of them.
 *
 * - Throws what `work` or the commit throws, after the rollback.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  let isCommitting = false;
  db.exec('BEGIN IMMEDIATE');
  try {
    const answer = work();
    isCommitting = true;
    db.exec('COMMIT');
    return answer;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    if (isCommitting) overwriteFailed(db);
    throw error;
  }
}

/** Whether an error of SQLite says that the file is damaged: SQLITE_CORRUPT, _NOTADB or _IOERR_SHORT_READ. */
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
 * Writes over what a failed commit left in the log, where it can: its pages may be there whole, and would count after
 * a crash. Nothing reads the number; SQLite writes no page that stays as it is.
 */
function overwriteFailed(db: DatabaseSync): void {
  try {
    db.exec(`PRAGMA application_id = ${randomInt(2 ** 31)}`);
  } catch {
    // The disk takes nothing: the first failure is reported.
  }
}
