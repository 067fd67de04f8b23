import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
/** How long after its day's end a key may be there still, while a process runs. */
const TURN_INTERVAL_MS = 5_000;
const KEY_FILE = /^\d{4}-\d\d-\d\d\.key$/;

/** A random key for each day (UTC), the same in every process of a data directory. */
export interface DailyKey {
  /** The key of an instant's day, until the next is asked for. Throws when it cannot be kept. */
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
 * - A day's key is destroyed as the day ends, or as soon as a process runs again after that.
 */
export function openDailyKey(folder: string, now: () => number): DailyKey {
  let day = dayOf(now());
  let key: Buffer | undefined;

  function turnTo(next: string): void {
    key?.fill(0);
    key = undefined;
    day = next;
    destroyOthers(folder, day);
  }
  const turnToToday = () => {
    const today = dayOf(now());
    if (today !== day) turnTo(today);
  };

  destroyOthers(folder, day);
  const timer = setInterval(turnToToday, TURN_INTERVAL_MS).unref();
  return {
    keyOf(atMs) {
      const wanted = dayOf(atMs);
      if (wanted !== day) turnTo(wanted);
      key ??= findOrMakeKey(folder, day);
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
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = join(folder, `${randomBytes(8).toString('hex')}.new`);
  const file = openSync(made, 'wx', 0o600);
  try {
    writeSync(file, randomBytes(KEY_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    overwrite(made); // Another process was first; this one's key never served.
  }
  unlinkSync(made);
  return readFileSync(path);
}

/** Keys of other days, and those that a process left half made. */
function destroyOthers(folder: string, day: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((each) => KEY_FILE.test(each) && each !== `${day}.key`)) {
    try {
      overwrite(join(folder, name));
      unlinkSync(join(folder, name));
    } catch (error) {
      // Another process destroys them at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
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
