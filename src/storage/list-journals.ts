import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The journal's files in the folder, oldest first. Whatever else somebody put there is none. */
export function listJournalFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => /^(\d+)\.db(\.whole)?$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .filter((number, index, all) => all.indexOf(number) === index)
    .toSorted((a, b) => Number(a) - Number(b))
    .map((number) => join(folder, `${number}.db`));
}
