import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#storage/sync-folder.ts';

/** Stands for the first kept day of an archive into which nothing goes. */
export const KEEPS_NOTHING = 'nothing';

const MARK = 'kept-from';

/**
 * The first day, in UTC, of which the archive keeps every event that was accepted on it or later;
 * {@link KEEPS_NOTHING} while none is kept, `undefined` when nothing was ever let go.
 *
 * - Throws when somebody has written into the file what is neither.
 * - Why in a file of the archive: what is not there because it need not be differs from what was lost,
 *   and the setting of today says nothing of those before it.
 */
export async function readKeptFrom(folder: string): Promise<string | undefined> {
  const text = await readMark(folder);
  if (text === undefined || text === KEEPS_NOTHING || isDay(text)) return text;
  throw new Error(
    `${join(folder, MARK)} holds ${JSON.stringify(text)}; allowed is a day, such as 2026-01-31, or ${KEEPS_NOTHING}.`,
  );
}

/** Notes that events of before the day may be gone. Never brings an earlier day back. */
export function raiseKeptFrom(folder: string, day: string): Promise<void> {
  return writeMark(folder, (before = '') =>
    before === KEEPS_NOTHING || before > day ? before : day,
  );
}

/** Notes that the archive, if nothing was kept, keeps all from the day on. */
export function keepAgainFrom(folder: string, day: string): Promise<void> {
  return writeMark(folder, (before) => (before === KEEPS_NOTHING ? day : before));
}

/** Notes that what is shipped from now on is not archived. */
export function keepNothing(folder: string): Promise<void> {
  return writeMark(folder, () => KEEPS_NOTHING);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

async function readMark(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, MARK), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Writes it whole or not at all. */
async function writeMark(
  folder: string,
  change: (before: string | undefined) => string | undefined,
): Promise<void> {
  const before = await readMark(folder);
  const after = change(before);
  if (after === before) return;
  await mkdir(folder, { recursive: true });
  const made = join(folder, `${MARK}.new`);
  await writeFile(made, `${after}\n`, { flush: true });
  await rename(made, join(folder, MARK));
  syncFolder(folder);
}
