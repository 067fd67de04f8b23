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
import { dataPathsOf } from './paths.ts';

/**
 * Creates the data directory if it is missing, and makes it private if it contains only our files.
 *
 * - Throws with one line that names the setting, its value and the allowed values.
 * - Why not Node's recursive mkdir: under /proc it never returns.
 */
export function assertDataDir(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const allowed = 'the path of a folder that this user may write to';
    const code = codeOf(error);
    // A container whose root is read-only, or whose volume is.
    const advice = code === 'EROFS' ? ' Give it a volume: docker run -v tributary:/data …' : '';
    throw new Error(`DATA_DIR is ${dataDir}; allowed is ${allowed} (${code}).${advice}`);
  }
  if (!isPrivate(dataDir) && isOurs(dataDir)) closeToOthers(dataDir);
}

/** Access for the owner only. */
const PRIVATE = 0o700;

/** Whether only the owner has access to the data directory. */
export function isPrivate(dataDir: string): boolean {
  return (statSync(dataDir).mode & 0o077) === 0;
}

/** Whether the folder has only our files. A shared folder, such as /srv, keeps its mode. */
function isOurs(dataDir: string): boolean {
  const names = Object.values(dataPathsOf(dataDir)).map((path) => relative(resolve(dataDir), path));
  const own = names.map((name) => name.replace(/\/.*/, ''));
  const isMine = statSync(dataDir).uid === process.getuid?.();
  return isMine && readdirSync(dataDir).every((name) => own.some((each) => name.startsWith(each)));
}

/** Some file systems have no permissions; the startup log then warns about it. */
function closeToOthers(dataDir: string): void {
  try {
    chmodSync(dataDir, PRIVATE);
  } catch {
    // The supervisor logs a warning.
  }
}

/** Explains why the server cannot listen, in terms of its settings. */
export function toListenError(error: unknown, { host, port }: Settings): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new Error(
        `PORT is ${port}; another program already listens there on ${host}. Stop it, or set another PORT.`,
      );
    case 'EACCES':
      return new Error(`PORT is ${port}; this user may not listen there. Use 1024 or higher.`);
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

/** Less than the server needs to start. */
const FULL_BYTES = 1_000_000;

/**
 * Recognises a failed start on a full disk, and explains what to do.
 *
 * Why also by its text: a web process reports only a message to its supervisor. If a file cannot grow,
 * SQLite may report "disk I/O error", so the free space is checked too.
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
  const full = `The disk of DATA_DIR (${dataDir}) is full, and the server needs a few megabytes to start. Nothing is lost: free some space and start it again.`;
  return new Error(full);
}

function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
