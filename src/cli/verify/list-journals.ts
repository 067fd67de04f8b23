import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DataPaths } from '#processes/paths.ts';

/** The numbers of the journals that have a file. */
export function listJournals(paths: DataPaths): number[] {
  const folder = dirname(paths.journal(1));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+\.db$/.test(name))
    .map((name) => Number.parseInt(name, 10));
}
