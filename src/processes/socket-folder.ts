import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A Unix socket's path has room for 107 bytes, the socket's name included. */
const FOLDER_MAX_BYTES = 90;
/** In `run`, the link to the folder of sockets if its own path is too long. */
const LINK = 'sockets';
const PRIVATE = 0o700;

/** The folder of sockets: `run` itself, or the temporary folder that takes its place. */
export function findSocketFolder(run: string): string {
  return isShort(run) ? run : (readLink(run) ?? run);
}

/**
 * Makes the folder of sockets. Call before an engine starts.
 *
 * - Why a random name behind a link: among temporary files, another user of the machine could make a folder of a known
 *   name first, and receive what is meant for the engine.
 */
export function makeSocketFolder(run: string): void {
  fs.mkdirSync(run, { recursive: true, mode: PRIVATE });
  const prefix = `tributary-${hash('sha256', run).slice(0, 16)}-`;
  const folder = readLink(run);
  if (isShort(run) || (folder && basename(folder).startsWith(prefix) && isOurs(folder))) return;
  fs.rmSync(join(run, LINK), { force: true }); // Also that of a copied data directory.
  fs.symlinkSync(fs.mkdtempSync(join(tmpdir(), prefix)), join(run, LINK));
}

function isShort(run: string): boolean {
  return Buffer.byteLength(run) <= FOLDER_MAX_BYTES;
}

function readLink(run: string): string | undefined {
  try {
    return fs.readlinkSync(join(run, LINK));
  } catch {
    return undefined;
  }
}

/** Whether only this user has access to the folder. Makes it again if it was cleaned up. */
function isOurs(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: PRIVATE });
  } catch {
    // It is there, as it should be.
  }
  const { uid, mode } = fs.lstatSync(folder, { throwIfNoEntry: false }) ?? {};
  return uid === process.getuid?.() && mode === (fs.constants.S_IFDIR | PRIVATE);
}
