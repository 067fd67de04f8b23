import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A lock that the kernel gives back when its process ends, however it ends. */
export interface ProcessLock {
  release(): void;
}

/** Node closes a database that nobody refers to any more, and the lock would be gone. */
const held = new Set<DatabaseSync>();

/**
 * The lock at `path`, or `undefined` when another living process still holds it after `waitMs`.
 *
 * Why SQLite: Node has no file locks of its own, and a file with a process id in it lies after a
 * crash, when the id belongs to somebody else.
 */
export function takeProcessLock(path: string, waitMs: number): ProcessLock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    held.add(db);
    return {
      release() {
        held.delete(db);
        db.close();
      },
    };
  } catch (error) {
    db.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) return undefined;
    throw error;
  }
}
