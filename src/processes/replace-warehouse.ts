import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '#storage/sync-folder.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';

/**
 * Puts the warehouse that was made anew in the place of the old one. No engine may run meanwhile.
 *
 * Why two steps: after the first one the new warehouse counts, whenever the power goes, and
 * {@link finishReplacement} does the rest.
 */
export function replaceWarehouse(paths: DataPaths): void {
  renameSync(dataPathsOf(paths.rebuild).warehouse, paths.rebuiltWarehouse);
  syncFolder(dirname(paths.rebuiltWarehouse));
  finishReplacement(paths);
}

/** Ends a replacement that has begun; nothing when none has. Safe to repeat while no engine runs. */
export function finishReplacement(paths: DataPaths): void {
  if (!existsSync(paths.rebuiltWarehouse)) return;
  rmSync(paths.rebuild, { recursive: true, force: true });
  rmSync(paths.warehouse, { recursive: true, force: true });
  renameSync(paths.rebuiltWarehouse, paths.warehouse);
  syncFolder(dirname(paths.warehouse));
}
