import { chmodSync, existsSync, renameSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';

/** Copies the database to a file that only its owner can read, unless there is a copy already. */
export async function backUp(db: DatabaseSync, path: string): Promise<void> {
  if (existsSync(path)) return;
  await backup(db, `${path}.new`);
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}
