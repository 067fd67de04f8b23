import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Settings } from '#settings.ts';
import { type DataPaths, dataPathsOf } from './paths.ts';

/**
 * Makes the data directory when it is not there, and closes it to others when only our files are in it.
 *
 * - Throws with one line that names the setting, its value and what is allowed.
 * - Why not recursively by Node: below /proc that never ends.
 */
export function assertDataDir(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const allowed = 'the path of a folder that this user may write to';
    throw new Error(`DATA_DIR is ${dataDir}; allowed is ${allowed} (${codeOf(error)}).`);
  }
  if (!isPrivate(dataDir) && isOurs(dataDir)) closeToOthers(dataDir);
}

/** For its owner alone. */
const PRIVATE = 0o700;

/** Whether nobody but its owner may look into the data directory. */
export function isPrivate(dataDir: string): boolean {
  return (statSync(dataDir).mode & 0o077) === 0;
}

/** A folder that others share, such as /srv, keeps the rights that it has. */
function isOurs(dataDir: string): boolean {
  const names = Object.values(dataPathsOf(dataDir)).map((path) => relative(resolve(dataDir), path));
  const own = names.map((name) => name.replace(/\/.*/, ''));
  const isMine = statSync(dataDir).uid === process.getuid?.();
  return isMine && readdirSync(dataDir).every((name) => own.some((each) => name.startsWith(each)));
}

/** Some disks know no rights; then the log of the start says so. */
function closeToOthers(dataDir: string): void {
  try {
    chmodSync(dataDir, PRIVATE);
  } catch {
    // Others may still look into it.
  }
}

/** Whether there were events before, and the ledger that knows their sites is not there any more. */
export function hasLostLedger(paths: Pick<DataPaths, 'ledger' | 'journals' | 'archive'>): boolean {
  return !exists(paths.ledger) && [paths.journals, paths.archive].some(isFilled);
}

/** The error of a server that cannot listen, in the words of the settings. */
export function toListenError(error: unknown, { host, port }: Settings): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new Error(
        `PORT is ${port}; something else listens there on ${host}. Stop it, or set another PORT.`,
      );
    case 'EACCES':
      return new Error(`PORT is ${port}; this user may not listen there. Set one from 1024 on.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `HOST is ${host}; allowed is an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return error;
  }
}

/** Less than a start needs. */
const FULL_BYTES = 1_000_000;

/**
 * The error of a start that found no room on the disk, with what to do about it.
 *
 * Why by its text too: a web process reports to its supervisor only what went wrong, in SQLite's words. For
 * a file that cannot grow these are "disk I/O error" now and then, so the disk itself is checked.
 */
export function toDiskError(error: unknown, dataDir: string): unknown {
  const hasNoRoom = () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize < FULL_BYTES;
  };
  const isFull =
    codeOf(error) === 'ENOSPC' ||
    /disk is full|ENOSPC/.test(String(error)) ||
    (/disk I\/O error/.test(String(error)) && hasNoRoom());
  if (!isFull) return error;
  return new Error(
    `The disk of DATA_DIR (${dataDir}) is full, and a start needs a few megabytes. Nothing is lost: free some space and start again.`,
  );
}

function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
}

function isFilled(folder: string): boolean {
  return exists(folder) && readdirSync(folder).length > 0;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
