import { appendFileSync, closeSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

type LinesFilePlace = { readonly folder: string; readonly platform?: NodeJS.Platform };

let filesMade = 0;

/**
 * Writes lines to a temporary file, passes its path to `work`, and returns the result of `work`.
 *
 * - Why a file: the engine scans the whole text of a statement for hints in comments. For the lines of an insert, that
 *   takes nearly as long as reading them.
 * - Why an unlinked file where possible: it vanishes when the process is killed, and the engine would interpret
 *   braces and stars in folder names as patterns.
 */
export async function withLinesFile<T>(
  { folder, platform = process.platform }: LinesFilePlace,
  lines: Readable,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const isNameless = platform === 'linux';
  filesMade += 1;
  const name = `tributary-${process.pid}-${filesMade}.lines`;
  const path = join(isNameless ? folder : tmpdir(), name);
  const file = openSync(path, 'wx', 0o600);
  try {
    if (isNameless) unlinkSync(path);
    await writeLines(file, lines);
    return await work(isNameless ? `/proc/self/fd/${file}` : path);
  } finally {
    closeSync(file);
    if (!isNameless) unlinkSync(path);
  }
}

/** Writes synchronously. The threads for asynchronous file access are busy with the engine's statements. */
async function writeLines(file: number, lines: Readable): Promise<void> {
  for await (const chunk of lines) appendFileSync(file, chunk);
}
