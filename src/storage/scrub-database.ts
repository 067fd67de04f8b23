import { setTimeout as sleep } from 'node:timers/promises';
import { openDurableDatabase } from './durable-database.ts';

const TRIES_MAX = 50;
const TRY_AGAIN_MS = 100;

/** Writes a database anew without its free pages, and empties its log. */
export async function scrubDatabase(path: string): Promise<void> {
  const db = openDurableDatabase(path, { checkpoints: false });
  try {
    db.exec('VACUUM');
    for (let tries = 1; ; tries++) {
      const row = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      if (row?.busy === 0) return;
      if (tries === TRIES_MAX)
        throw new Error(`the log of ${path} cannot be emptied: it is in use`);
      await sleep(TRY_AGAIN_MS);
    }
  } finally {
    db.close();
  }
}
