import { existsSync, globSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { openDurableDatabase } from '#storage/durable-database.ts';
import { listJournalFiles } from '#storage/list-journals.ts';
import { scrubDatabase } from '#storage/scrub-database.ts';
import { DAMAGED_FOLDER } from './set-damaged-aside.ts';

const CHUNK_BYTES = 1024 * 1024;

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
  chunkBytes = CHUNK_BYTES,
): Promise<boolean> {
  const longest = Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
  const bytes = Buffer.alloc(longest + chunkBytes);
  await using file = await open(path);
  for (let kept = 0; ; ) {
    const { bytesRead } = await file.read(bytes, kept, chunkBytes);
    if (bytesRead === 0) return false;
    const held = bytes.subarray(0, kept + bytesRead);
    if (texts.some((text) => held.includes(text))) return true;
    kept = Math.min(longest, held.length); // A text may span two chunks.
    bytes.copyWithin(0, held.length - kept, held.length);
  }
}
