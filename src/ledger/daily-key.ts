import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '#domain/unavailable.ts';

const KEY_BYTES = 32;
/** How long after its day's end a key may be there still, while the process runs. */
const TURN_INTERVAL_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEY_FILE = /^\d{4}-\d\d-\d\d\.key(\.new)?$/;

/** A random key for each day (UTC) of a data directory. */
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
 * The key of the day in `folder`, made when it is asked for first. Only one process makes keys there.
 *
 * - Why files and no database: a key is destroyed by writing over its bytes, and a database keeps
 *   copies of what it once held. Each is readable by its owner only (mode 0600).
 * - A day's key is destroyed as the day ends, or as soon as the process runs again after that. What
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
      destroyOthers(folder, day);
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

/** A file gets its name when all its bytes are on disk. */
function findOrMakeKey(folder: string, day: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${day}.key`);
  try {
    return readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  write(`${path}.new`, 'w', randomBytes(KEY_BYTES));
  renameSync(`${path}.new`, path);
  return readKey(path);
}

/** Throws when it is no key, as one that was written over: anybody could hash with that. */
function readKey(path: string): Buffer {
  const key = readFileSync(path);
  const isKey = key.length === KEY_BYTES && key.some((byte) => byte !== 0);
  if (!isKey) throw new Error(`${path} is damaged.`);
  return key;
}

/**
 * Destroys keys of other days, and removes what was left half made.
 *
 * Why tomorrow's stays: an event may have been accepted by a clock that was read a moment later.
 */
function destroyOthers(folder: string, day: string): void {
  const kept = [day, dayOf(Date.parse(day) + DAY_MS)].map((each) => `${each}.key`);
  const failures: unknown[] = [];
  for (const name of namesIn(folder)) {
    if (!KEY_FILE.test(name) || kept.includes(name)) continue;
    try {
      write(join(folder, name), 'r+', Buffer.alloc(KEY_BYTES));
      unlinkSync(join(folder, name));
    } catch (error) {
      failures.push(error);
    }
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

function write(path: string, flags: 'w' | 'r+', bytes: Buffer): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeSync(file, bytes, 0, KEY_BYTES, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
