import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '#domain/unavailable.ts';

const KEY_BYTES = 32;
/** How long after its day's end a key may be there still, while a process runs. */
const TURN_INTERVAL_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Whoever makes a key is done in a moment; what is older was left by a process that ended meanwhile. */
const MAKING_MAX_MS = 60_000;
const KEY_FILE = /^\d{4}-\d\d-\d\d\.key$/;
const HALF_MADE_FILE = /^[0-9a-f]{16}\.new$/;

/** A random key for each day (UTC), the same in every process of a data directory. */
export interface DailyKey {
  /**
   * The key of an instant's day, until the next is asked for. Throws UnavailableError when it cannot
   * be made or read.
   */
  keyOf(atMs: number): Buffer;
  /** Forgets the key; its file stays until the day ends. */
  close(): void;
}

/**
 * The key of the day in `folder`, made by whichever process asks first.
 *
 * - Why files and no database: a key is destroyed by writing over its bytes, and a database keeps
 *   copies of what it once held. Each is readable by its owner only (mode 0600).
 * - Why a link: a file appears under its name with all its bytes, and for one process only.
 * - A day's key is destroyed as the day ends, or as soon as a process runs again after that. What
 *   keeps it from that goes to `onFailure`, once, and it is tried again until it is done.
 */
export function openDailyKey(
  folder: string,
  now: () => number,
  onFailure: (reason: string) => void,
): DailyKey {
  let day = dayOf(now());
  let key: Buffer | undefined;
  let hasFailed = false;

  function destroy(): void {
    try {
      destroyOthers(folder, day, now());
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(String(error));
      hasFailed = true;
    }
  }
  function turnTo(next: string): void {
    key?.fill(0);
    key = undefined;
    day = next;
    destroy();
  }
  const turnToToday = () => {
    const today = dayOf(now());
    if (today !== day) turnTo(today);
    else if (hasFailed) destroy();
  };

  destroy();
  const timer = setInterval(turnToToday, TURN_INTERVAL_MS).unref();
  return {
    keyOf(atMs) {
      const wanted = dayOf(atMs);
      if (wanted !== day) turnTo(wanted);
      try {
        key ??= findOrMakeKey(folder, day);
      } catch (error) {
        throw new UnavailableError('The key of the day cannot be made or read just now.', error);
      }
      return key;
    },
    close() {
      clearInterval(timer);
      turnTo(dayOf(now()));
    },
  };
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function findOrMakeKey(folder: string, day: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${day}.key`);
  try {
    return readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = join(folder, `${randomBytes(8).toString('hex')}.new`);
  try {
    writeKey(made);
    linkSync(made, path);
  } catch (error) {
    // Another process was first; this one's key never served.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    tryToRemove(made);
  }
  return readKey(path);
}

/** Throws when it is no key, as while another process destroys it: anybody could hash with that. */
function readKey(path: string): Buffer {
  const key = readFileSync(path);
  const isKey = key.length === KEY_BYTES && key.some((byte) => byte !== 0);
  if (!isKey) throw new Error(`${path} is damaged, or its day has just ended.`);
  return key;
}

function writeKey(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, randomBytes(KEY_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Destroys keys of other days, and removes those that a process left half made.
 *
 * Why tomorrow's stays: a process whose clock was read a moment later may have handed it out.
 */
function destroyOthers(folder: string, day: string, nowMs: number): void {
  const kept = [day, dayOf(Date.parse(day) + DAY_MS)].map((each) => `${each}.key`);
  const names = namesIn(folder);
  const failures: unknown[] = [];
  for (const name of names.filter((each) => KEY_FILE.test(each) && !kept.includes(each))) {
    try {
      overwrite(join(folder, name));
      unlinkSync(join(folder, name));
    } catch (error) {
      // Another process destroys them at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failures.push(error);
    }
  }
  for (const name of names.filter((each) => HALF_MADE_FILE.test(each))) {
    removeIfLeft(join(folder, name), nowMs);
  }
  if (failures.length > 0) throw failures[0];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Why it is not written over: it may be linked as a key that serves. Its maker, should it be at it
 * still, finds nothing to link and is asked again.
 */
function removeIfLeft(path: string, nowMs: number): void {
  try {
    if (nowMs - statSync(path).mtimeMs > MAKING_MAX_MS) unlinkSync(path);
  } catch {} // What stays is removed when a later day begins.
}

/** What stays is removed when a later day begins, and is no reason to have no key. */
function tryToRemove(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}

function overwrite(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.alloc(KEY_BYTES), 0, KEY_BYTES, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
