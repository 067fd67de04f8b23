import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The size of a key. */
export const KEY_BYTES = 32;

/**
 * The random key in a file, which is made when it is first needed and which only its owner can read.
 *
 * Throws if the file is damaged: an overwritten key could be guessed.
 */
export function readKeyFile(path: string): Buffer {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
    syncFolder(dirname(path));
  }
  const key = readFileSync(path);
  const isKey = key.length === KEY_BYTES && key.some((byte) => byte !== 0);
  if (!isKey) throw new Error(`The file ${path} is damaged.`);
  return key;
}

/** The key in a file, which stays when the server restarts unless the disk cannot keep it. */
export function readLastingKey(path: string): Buffer {
  try {
    return readKeyFile(path);
  } catch {
    return randomBytes(KEY_BYTES);
  }
}

/** The number by which a database knows a data directory, from the key in a file of it. */
export function readDataDirId(path: string): number {
  return readKeyFile(path).readUIntBE(0, 6);
}
