import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { salvageBatches } from './salvage-batches.ts';
import { findWalDamage, readSealedAgain } from './wal-frames.ts';

/** Where damaged journal files are kept beside the journals, until somebody takes them away. */
export const DAMAGED_FOLDER = 'damaged';

/** A structure of this size is checked in a moment; a larger one only when it is suspected. */
const CHECKED_MAX_BYTES = 64 * 1024 * 1024;

/** SQLite's words for a file that is not what it wrote: SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26]);
/** And for one that ends in the middle of a page: SQLITE_IOERR_SHORT_READ. */
const SHORT_READ = 522;

/**
 * Looks for damage in the journal file at `path` before anybody opens it. A damaged one is kept in
 * the folder `damaged`, and its sound batches stand in a new file at its place.
 *
 * - Shape: in words what was wrong with it and what came out; `undefined` when it is sound, or not there, or empty, and
 *   not `isKnown` to have been.
 * - Why a new file: what is behind a damaged page of a B-tree, SQLite would find one day or never.
 * - Killed in the middle, it is done again or ended at the next start.
 */
export function mendJournal(path: string, isKnown = false): string | undefined {
  finishMending(path);
  for (const what of ['file', 'log'] as const) removeDatabase(copyPathOf(path, what));
  const isGone = !existsSync(path) || statSync(path).size === 0;
  if (isGone && !isKnown) return undefined;
  const trouble = isGone ? 'what was in it is gone' : findTrouble(path);
  if (trouble === undefined) return undefined;

  const kept = keepDamaged(path);
  const views = [copyOf(path, 'file'), copyOf(path, 'log')];
  const fresh = `${path}.mending`;
  removeDatabase(fresh);
  const batches = salvageBatches(views, fresh);
  syncFile(fresh);
  renameSync(fresh, `${path}.mended`);
  finishMending(path);
  for (const view of views) removeDatabase(view);
  const left = kept === undefined ? '' : `, what is left of it is ${kept}`;
  return `(${trouble}): ${batches} sound batches came out${left}`;
}

/** Makes the next start look closely at this file: something in it could not be read. */
export function suspectJournal(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

/** Whether an error of SQLite says that the file is damaged. */
export function isDamage(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return DAMAGE_CODES.has(errcode & 0xff) || errcode === SHORT_READ;
}

function findTrouble(path: string): string | undefined {
  const damage = findWalDamage(path);
  if (damage?.isCertain === true) {
    return `${damage.lostCommits} or more commits lie behind damage in its log`;
  }
  const isSuspected = existsSync(`${path}.suspect`);
  if (!isSuspected && statSync(path).size > CHECKED_MAX_BYTES) return undefined;
  const fault = findFault(path);
  if (fault === undefined) rmSync(`${path}.suspect`, { force: true });
  return fault;
}

/** What SQLite finds wrong with the file's structure. */
function findFault(path: string): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 5_000 });
    const found = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return found === 'ok' ? undefined : found;
  } catch (error) {
    if (isDamage(error)) return String(error);
    throw error;
  } finally {
    db?.close();
  }
}

/** Links of the damaged file and its log, in the folder `damaged`; answers where, if there is one. */
function keepDamaged(path: string): string | undefined {
  const parts = ['', '-wal', '-shm'].filter((end) => existsSync(path + end));
  if (parts.length === 0) return undefined;
  const folder = join(dirname(path), DAMAGED_FOLDER);
  mkdirSync(folder, { recursive: true });
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const kept = join(folder, `${basename(path, '.db')}-${name}.db`);
  for (const end of parts) {
    if (!existsSync(kept + end)) linkSync(path + end, kept + end);
  }
  syncFile(folder);
  return kept;
}

/** A copy to read from: the file alone, or with its log sealed again. */
function copyOf(path: string, what: 'file' | 'log'): string {
  const copy = copyPathOf(path, what);
  removeDatabase(copy);
  if (existsSync(path)) copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  const log = what === 'log' ? readSealedAgain(path) : undefined;
  if (log !== undefined) writeFileSync(`${copy}-wal`, log);
  return copy;
}

function copyPathOf(path: string, what: 'file' | 'log'): string {
  return `${path}.${what}-copy`;
}

/** The new file is complete: from here on it counts, whenever the power goes. */
function finishMending(path: string): void {
  if (!existsSync(`${path}.mended`)) return;
  for (const end of ['-wal', '-shm', '.suspect']) rmSync(path + end, { force: true });
  renameSync(`${path}.mended`, path);
  syncFile(dirname(path));
}

function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
