import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Stands for the first kept day of an archive into which nothing goes. */
export const KEEPS_NOTHING = 'nothing';

const MARK = 'kept-from';

/**
 * The first day, in UTC, of which the archive keeps every event that was accepted on it or later;
 * {@link KEEPS_NOTHING} while none is kept, `undefined` when nothing was ever let go.
 *
 * Why in a file of the archive: what is not there because it need not be differs from what was lost,
 * and the setting of today says nothing of those before it.
 */
export async function readKeptFrom(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, MARK), 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

/** Writes down that events of before the day may be gone. Never brings an earlier day back. */
export async function raiseKeptFrom(folder: string, day: string): Promise<void> {
  const before = await readKeptFrom(folder);
  if (before !== undefined && before !== KEEPS_NOTHING && before >= day) return;
  await writeMark(folder, day);
}

/** Writes down that what is shipped from now on is not archived. */
export async function keepNothing(folder: string): Promise<void> {
  if ((await readKeptFrom(folder)) !== KEEPS_NOTHING) await writeMark(folder, KEEPS_NOTHING);
}

async function writeMark(folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, MARK), `${text}\n`, { flush: true });
  const opened = await open(folder, 'r');
  await opened.sync().finally(() => opened.close());
}
