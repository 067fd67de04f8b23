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
const MANY = 'BEGIN; SELECT count(*) FROM sqlite_schema';
const ONE = 'BEGIN EXCLUSIVE';

/**
 * The lock in the file at `path`, which every shipper of a data directory opens.
 *
 * - Shape: one at a time in a process; a shipper has one shipment under way anyhow. A second file is the
 *   gate: who wants to be alone shuts it first, and whoever passes it holds it for no longer than
 *   that. Without it two who ship by turns would leave no moment for being alone.
 * - Why SQLite: its file locks are many readers or one writer, and the kernel gives them back when
 *   their process ends, however it ends. Nothing is ever written.
 */
export function openShippingLock(path: string): ShippingLock {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 0 });
  const gate = new DatabaseSync(`${path}.gate`, { timeout: 0 });

  function hasPassedGate(): boolean {
    if (!isBegun(gate, MANY)) return false;
    try {
      return isBegun(db, MANY);
    } finally {
      gate.exec('ROLLBACK');
    }
  }

  return {
    together: (work) => holding(db, hasPassedGate, work),
    alone: (work) =>
      holding(
        gate,
        () => isBegun(gate, ONE),
        () => holding(db, () => isBegun(db, ONE), work),
      ),
    close() {
      db.close();
      gate.close();
    },
  };
}

async function holding<T>(
  db: DatabaseSync,
  isHeld: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  while (!isHeld()) await sleep(LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    db.exec('ROLLBACK');
  }
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
