import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const KEY_BYTES = 32;

/**
 * The key that encrypts the secrets of connections: made of the setting `SECRET_KEY`, or of a file, which is made when
 * it is first needed and which only its owner can read.
 *
 * - Throws if the file is damaged: without it, the secrets cannot be read.
 */
export function readSecretKey(setting: string | undefined, path: string): Buffer {
  if (setting !== undefined) return hash('sha256', `tributary secrets ${setting}`, 'buffer');
  const key = readFile(path) ?? makeFile(path);
  if (key.length !== KEY_BYTES) throw new Error(`The file ${path} is damaged.`);
  return key;
}

function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function makeFile(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return readFileSync(path);
}
