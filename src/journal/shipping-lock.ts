import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Keeps the shippers of several web processes out of each other's way where that matters. */
export interface ShippingLock {
  /** Does the work beside that of others, and never while one of them is alone. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Does the work while nobody else works. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const LOOK_EVERY_MS = 20;

/**
 * The lock in the file at `path`, which every shipper of a data directory opens.
 *
 * - Shape: one at a time in a process; a shipper has one parcel under way anyhow.
 * - Why SQLite: its file locks are many readers or one writer, and the kernel gives them back when
 *   their process ends, however it ends. Nothing is ever written.
 */
export function openShippingLock(path: string): ShippingLock {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 0 });

  async function holding<T>(begin: string, work: () => Promise<T>): Promise<T> {
    while (!isBegun(db, begin)) await sleep(LOOK_EVERY_MS);
    try {
      return await work();
    } finally {
      db.exec('ROLLBACK');
    }
  }

  return {
    together: (work) => holding('BEGIN; SELECT count(*) FROM sqlite_schema', work),
    alone: (work) => holding('BEGIN EXCLUSIVE', work),
    close: () => db.close(),
  };
}

function isBegun(db: DatabaseSync, begin: string): boolean {
  try {
    db.exec(begin);
    return true;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    if (error instanceof Error && /locked|busy/.test(error.message)) return false;
    throw error;
  }
}
