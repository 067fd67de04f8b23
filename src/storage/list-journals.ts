import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The journal files in a folder, oldest first. Other files are ignored. */
export function listJournalFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const numbers = readdirSync(folder)
    .map((name) => /^(\d+)\.db(?:\.whole)?$/.exec(name)?.[1])
    .filter((number) => number !== undefined);
  return [...new Set(numbers.map(Number))]
    .toSorted((a, b) => a - b)
    .map((number) => join(folder, `${number}.db`));
}
