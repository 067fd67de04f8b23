import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataPathsOf } from '#processes/paths.ts';

const CODES = ['EACCES', 'EPERM', 'EROFS'];
/** SQLite's READONLY and CANTOPEN: it writes beside a file that it only reads, too. */
const SQLITE_CODES = [8, 14];

/** Whether an error may come of a file or folder that may not be written. */
export function isRefusedWrite(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: string; errcode?: number };
  return CODES.includes(code ?? '') || SQLITE_CODES.includes((errcode ?? 0) & 0xff);
}

/** The first file or folder of the data that this user may not write to; `undefined` when there is none. */
export function findUnwritable(dataDir: string): string | undefined {
  const paths = dataPathsOf(dataDir);
  for (const folder of [dataDir, paths.journals, paths.warehouse]) {
    if (!mayWrite(folder)) return folder;
    const file = listDatabases(folder).find((path) => !mayWrite(path));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** What is not there is made by whoever may write to its folder. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** With the files that SQLite keeps beside them. */
function listDatabases(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.db(-wal|-shm)?$/.test(name));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}
