import { hash } from 'node:crypto';
import { readKeyFile } from '#storage/key-file.ts';

/**
 * The key that encrypts the secrets of connections: made of the setting `SECRET_KEY`, or in a file.
 *
 * - Throws if the file is damaged: without it, the secrets cannot be read.
 */
export function readSecretKey(setting: string | undefined, path: string): Buffer {
  if (setting === undefined) return readKeyFile(path);
  return hash('sha256', `tributary secrets ${setting}`, 'buffer');
}
