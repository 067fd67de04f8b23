import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '#storage/sync-folder.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';

/**
 * Replaces the warehouse with the rebuilt one. No engine may be running.
 *
 * Why two steps: after the first, the new warehouse is final even after a power cut, and
 * {@link finishReplacement} completes the rest.
 */
export function replaceWarehouse(paths: DataPaths): void {
  renameSync(dataPathsOf(paths.rebuild).warehouse, paths.rebuiltWarehouse);
  syncFolder(dirname(paths.rebuiltWarehouse));
  finishReplacement(paths);
}

/** Completes an interrupted replacement, if there is one. Safe to repeat while no engine is running. */
export function finishReplacement(paths: DataPaths): void {
  if (!existsSync(paths.rebuiltWarehouse)) return;
  rmSync(paths.rebuild, { recursive: true, force: true });
  rmSync(paths.warehouse, { recursive: true, force: true });
  renameSync(paths.rebuiltWarehouse, paths.warehouse);
  syncFolder(dirname(paths.warehouse));
}
