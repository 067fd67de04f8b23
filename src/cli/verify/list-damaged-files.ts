import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DAMAGED_FOLDER } from '#journal/set-damaged-aside.ts';
import type { DataPaths } from '#processes/paths.ts';

/** Journal files that were damaged and are kept until somebody takes them away. */
export function listDamagedFiles(paths: DataPaths): string[] {
  return globSync('*.db', { cwd: join(paths.journals, DAMAGED_FOLDER) });
}
