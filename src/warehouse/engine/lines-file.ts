import { appendFileSync, closeSync, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Where a file lies, and on which kind of system. */
export type LinesFilePlace = { readonly folder: string; readonly platform?: NodeJS.Platform };

let filesMade = 0;

/**
 * What `work` answers, to which it hands a path under which this process finds all the lines.
 *
 * - Why a file: the engine looks through the whole text of a statement for comments to itself, which for
 *   the lines of an insert takes nearly as long as reading them.
 * - Why one without a name, where there is such a thing: nothing is left of it when the process is killed,
 *   and the engine takes braces and stars in the names of folders for patterns.
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

/** Not by the threads for files: on these the engine's statements run, each to its end. */
async function writeLines(file: number, lines: Readable): Promise<void> {
  for await (const chunk of lines) appendFileSync(file, chunk);
}
