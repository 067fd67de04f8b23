import { appendFileSync, closeSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

let filesMade = 0;

/**
 * What `work` answers, to which it hands a path under which this process finds all the lines.
 *
 * - Why a file: the engine looks through the whole text of a statement for comments to itself, which for
 *   the lines of an insert takes nearly as long as reading them.
 * - Why one without a name: nothing is left of it when the process is killed, and the engine takes braces
 *   and stars in names for patterns.
 */
export async function withLinesFile<T>(
  folder: string,
  lines: Readable,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const file = openNamelessFile(folder);
  try {
    // Not by the threads for files: on these the engine's statements run, each to its end.
    for await (const chunk of lines) appendFileSync(file, chunk);
    return await work(`/proc/self/fd/${file}`);
  } finally {
    closeSync(file);
  }
}

function openNamelessFile(folder: string): number {
  filesMade += 1;
  const path = join(folder, `insert-${process.pid}-${filesMade}.lines`);
  const file = openSync(path, 'w', 0o600);
  unlinkSync(path);
  return file;
}
