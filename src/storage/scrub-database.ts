import { waitUntil } from '#jobs/wait.ts';
import { openDurableDatabase } from './durable-database.ts';

const TRIES = { everyMs: 100, maxMs: 5_000 };

/** Rewrites a database without its free pages, and truncates its log. */
export async function scrubDatabase(path: string): Promise<void> {
  const db = openDurableDatabase(path, { checkpoints: false });
  try {
    db.exec('VACUUM');
    const truncate = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
    if (!(await waitUntil(async () => truncate.get()?.busy === 0, TRIES)))
      throw new Error(`the log of ${path} cannot be truncated because it is in use`);
  } finally {
    db.close();
  }
}
