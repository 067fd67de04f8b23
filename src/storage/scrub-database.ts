import { setTimeout as sleep } from 'node:timers/promises';
import { openDurableDatabase } from './durable-database.ts';

const TRIES_MAX = 50;
const RETRY_AFTER_MS = 100;

/** Rewrites a database without its free pages, and truncates its log. */
export async function scrubDatabase(path: string): Promise<void> {
  const db = openDurableDatabase(path, { checkpoints: false });
  try {
    db.exec('VACUUM');
    for (let tries = 1; ; tries++) {
      const row = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      if (row?.busy === 0) return;
      if (tries === TRIES_MAX)
        throw new Error(`the log of ${path} cannot be truncated because it is in use`);
      await sleep(RETRY_AFTER_MS);
    }
  } finally {
    db.close();
  }
}
