import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A lock that the kernel releases when its process ends, even in a crash. */
interface ProcessLock {
  release(): void;
}

/** Keeps locks referenced. Node closes an unreferenced database, which would release the lock. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock at `path`. Returns undefined if another process still holds it after `waitMs`.
 *
 * Why SQLite: Node has no file locks. A PID file is wrong after a crash, when another process may have the id.
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
