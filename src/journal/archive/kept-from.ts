import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#storage/sync-folder.ts';

/** The content of the mark while archiving is off. */
export const KEEPS_NOTHING = 'nothing';

const MARK = 'kept-from';

/**
 * The first UTC day, by acceptance, from which the archive is complete. {@link KEEPS_NOTHING} while archiving is
 * off, `undefined` if nothing was ever removed.
 *
 * - Throws if the file holds anything else.
 * - Why a file: it distinguishes removed days from lost ones, whatever the setting was before.
 */
export async function readKeptFrom(folder: string): Promise<string | undefined> {
  const text = await readMark(folder);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''));
  if (text === undefined || text === KEEPS_NOTHING || isDay) return text;
  throw new Error(
    `${join(folder, MARK)} contains ${JSON.stringify(text)}, but must contain a day such as 2026-01-31, or ${KEEPS_NOTHING}.`,
  );
}

/**
 * Records that events before the day may be gone. The day never moves back. If archiving was off, the archive is
 * complete from `againFrom` on.
 */
export function raiseKeptFrom(folder: string, day: string, againFrom: string): Promise<void> {
  return writeMark(folder, (before = '') => {
    if (before === KEEPS_NOTHING) return againFrom;
    return before > day ? before : day;
  });
}

/** Records that archiving is off from now on. */
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

/** Writes the file atomically. */
async function writeMark(
  folder: string,
  change: (before: string | undefined) => string,
): Promise<void> {
  const before = await readMark(folder);
  const after = change(before);
  if (after === (before ?? '')) return;
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${MARK}.new`);
  await writeFile(temporary, `${after}\n`, { flush: true });
  await rename(temporary, join(folder, MARK));
  syncFolder(folder);
}
