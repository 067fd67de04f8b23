import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#storage/sync-folder.ts';

/** Stands for the first kept day of an archive into which nothing goes. */
export const KEEPS_NOTHING = 'nothing';

const MARK = 'kept-from';

/**
 * The first day, in UTC, from which on the archive keeps every event by when it was accepted; {@link KEEPS_NOTHING}
 * while none is kept, `undefined` when nothing was ever let go.
 *
 * - Throws when the file holds neither.
 * - Why a file: it tells what need not be there from what was lost, whatever the setting was before.
 */
export async function readKeptFrom(folder: string): Promise<string | undefined> {
  const text = await readMark(folder);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''));
  if (text === undefined || text === KEEPS_NOTHING || isDay) return text;
  throw new Error(
    `${join(folder, MARK)} holds ${JSON.stringify(text)}; allowed is a day, such as 2026-01-31, or ${KEEPS_NOTHING}.`,
  );
}

/**
 * Notes that events of before the day may be gone, which never brings an earlier day back. An archive that kept
 * nothing keeps all from `againFrom` on.
 */
export function raiseKeptFrom(folder: string, day: string, againFrom: string): Promise<void> {
  return writeMark(folder, (before = '') => {
    if (before === KEEPS_NOTHING) return againFrom;
    return before > day ? before : day;
  });
}

/** Notes that what is shipped from now on is not archived. */
export function keepNothing(folder: string): Promise<void> {
  return writeMark(folder, () => KEEPS_NOTHING);
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
  change: (before: string | undefined) => string,
): Promise<void> {
  const before = await readMark(folder);
  const after = change(before);
  if (after === (before ?? '')) return;
  await mkdir(folder, { recursive: true });
  const made = join(folder, `${MARK}.new`);
  await writeFile(made, `${after}\n`, { flush: true });
  await rename(made, join(folder, MARK));
  syncFolder(folder);
}
