import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Fsyncs a folder: names of new files in it, and renames, outlast a power cut then. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
