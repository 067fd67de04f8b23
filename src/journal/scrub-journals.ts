import { createReadStream, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDurableDatabase } from '#storage/durable-database.ts';
import { listJournalFiles } from '#storage/list-journals.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { DAMAGED_FOLDER } from './set-damaged-aside.ts';

const CHUNK_BYTES = 16 * 1024 * 1024;

/**
 * Clears shipped data from the journals' free pages and logs. Deletes set-aside batches and damaged files that
 * contain one of the texts.
 */
export async function scrubJournals(folder: string, texts: readonly string[]): Promise<void> {
  if (!existsSync(folder)) return;
  for (const path of listJournalFiles(folder)) {
    const db = openDurableDatabase(path, { checkpoints: false });
    try {
      const remove = db.prepare(
        'DELETE FROM set_aside_batches WHERE instr(lines, CAST(? AS BLOB)) > 0',
      );
      for (const text of texts) remove.run(text);
    } finally {
      db.close();
    }
    await scrubDatabase(path);
  }
  for (const name of globSync('*', { cwd: join(folder, DAMAGED_FOLDER) })) {
    const path = join(folder, DAMAGED_FOLDER, name);
    if (await holdsAny(path, texts)) rmSync(path);
  }
}

/** Whether a file of any size contains one of the texts. */
export async function holdsAny(
  path: string,
  texts: readonly string[],
  highWaterMark = CHUNK_BYTES,
): Promise<boolean> {
  const longest = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
  let end = Buffer.alloc(0); // A text may span two chunks.
  for await (const chunk of createReadStream(path, { highWaterMark })) {
    const bytes = Buffer.concat([end, chunk]);
    if (texts.some((text) => bytes.includes(text))) return true;
    end = bytes.subarray(Math.max(0, bytes.length - longest));
  }
  return false;
}
