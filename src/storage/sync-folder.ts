import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Fsyncs a folder, so that new files and renames in it survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
