import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A journal's file, by the number that its batches carry. */
export type JournalPath = { readonly number: number; readonly path: string };

/** The journals that have a file in the folder. Whatever else somebody put there is none. */
export function listJournals(folder: string): JournalPath[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+\.db$/.test(name))
    .map((name) => ({ number: Number.parseInt(name, 10), path: join(folder, name) }));
}
