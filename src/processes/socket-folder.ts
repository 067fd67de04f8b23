import { mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's path has room for 107 bytes, the socket's name included. */
const FOLDER_MAX_BYTES = 90;
/** In `run`: a link to the folder of sockets, if the path of `run` is too long. */
const LINK = 'sockets';

/** The folder of sockets: `run` itself, or the temporary folder that takes its place. */
export function findSocketFolder(run: string): string {
  if (Buffer.byteLength(run) <= FOLDER_MAX_BYTES) return run;
  try {
    return readlinkSync(join(run, LINK));
  } catch {
    return run; // No engine is running.
  }
}

/**
 * Makes the folder of sockets, if it is temporary. Call with the lock on `run`, before an engine starts.
 *
 * - Why a new name each time: among temporary files, another user of the machine could make a folder of a known name
 *   first, and receive what is meant for the engine.
 */
export function makeSocketFolder(run: string): void {
  if (Buffer.byteLength(run) <= FOLDER_MAX_BYTES) return;
  rmSync(join(run, LINK), { force: true });
  symlinkSync(mkdtempSync(join(tmpdir(), 'tributary-')), join(run, LINK));
}

/** Removes it again. Call when the engine has ended. */
export function removeSocketFolder(run: string): void {
  const folder = findSocketFolder(run);
  if (folder === run) return;
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(run, LINK));
}
