import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDurableDatabase } from './durable-database.ts';
import { DAMAGED_FOLDER } from './mend-journal.ts';

const TRIES_MAX = 50;
const TRY_AGAIN_MS = 100;

/**
 * Takes out of the journals' files what they have shipped: its bytes are free pages there, and
 * frames of the log, until something is written over them.
 *
 * - Shape: set-aside batches and kept damaged files go where they hold one of the texts.
 * - Why it is cheap: a journal holds what waits for about a second.
 */
export async function scrubJournals(folder: string, texts: readonly string[]): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of globSync('*.db', { cwd: folder })) {
    const path = join(folder, name);
    const db = openDurableDatabase(path, { checkpoints: false });
    try {
      const remove = db.prepare(
        'DELETE FROM damaged_batches WHERE instr(lines, CAST(? AS BLOB)) > 0',
      );
      for (const text of texts) remove.run(text);
    } finally {
      db.close();
    }
    await scrubDatabase(path);
  }
  for (const name of globSync('*', { cwd: join(folder, DAMAGED_FOLDER) })) {
    const path = join(folder, DAMAGED_FOLDER, name);
    const bytes = readFileSync(path);
    if (texts.some((text) => bytes.includes(text))) rmSync(path);
  }
}

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
