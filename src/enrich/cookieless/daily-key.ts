import * as fs from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#domain/time/durations.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { KEY_BYTES, readKeyFile } from '#storage/key-file.ts';

/** How long a key may outlive its day while the process runs. */
const TURN_INTERVAL_MS = 5_000;
const KEY_FILE = /^\d{4}-\d\d-\d\d\.key(\.new)?$/;

interface DailyKey {
  /**
   * The key of an instant's day. The buffer is valid until the key of another day is requested. Throws
   * UnavailableError if the key cannot be created or read.
   */
  keyOf(atMs: number): Buffer;
  /** Clears the key from memory. Its file stays until the day ends. */
  close(): void;
}

/**
 * Opens the daily keys in `folder`. A key is created on first use. Only one process may create keys.
 *
 * - Why files instead of a database: a key is destroyed by overwriting its bytes, but a database may keep
 *   copies. The files are readable by their owner only (mode 0600).
 * - A key is destroyed when its day ends, or when the process next runs after that. A failure is reported
 *   once to `onFailure` and retried until it succeeds.
 */
export function openDailyKey(
  folder: string,
  now: () => number,
  onFailure: (reason: string) => void,
): DailyKey {
  let day = dayOf(now());
  let key: Buffer | undefined;

  function turnTo(next: string): void {
    key?.fill(0);
    key = undefined;
    day = next;
  }

  const job = keepRunning({
    ...{ name: 'daily_key', everyMs: TURN_INTERVAL_MS },
    run() {
      const today = dayOf(now());
      if (today > day) turnTo(today);
      destroyOthers(folder, day);
    },
    onChange: (failure) => failure && onFailure(String(failure)),
  });
  const destroy = () => void job.runNow().catch(() => {}); // It is tried again.
  destroy();
  return {
    keyOf(atMs) {
      const wanted = dayOf(atMs);
      if (wanted !== day) {
        turnTo(wanted);
        destroy();
      }
      try {
        key ??= readKeyFile(join(folder, `${day}.key`));
      } catch (error) {
        throw new UnavailableError('The daily key cannot be created or read right now.', error);
      }
      return key;
    },
    close() {
      void job.stop();
      turnTo(dayOf(now()));
    },
  };
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/**
 * Destroys keys of other days, and removes incomplete files.
 *
 * Why tomorrow's key stays: a concurrent event may have read the clock just after midnight.
 */
function destroyOthers(folder: string, day: string): void {
  const kept = [day, dayOf(Date.parse(day) + DAY_MS)].map((each) => `${each}.key`);
  const failures: unknown[] = [];
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    if (!KEY_FILE.test(name) || kept.includes(name)) continue;
    try {
      fs.writeFileSync(join(folder, name), Buffer.alloc(KEY_BYTES), { flag: 'r+', flush: true });
      fs.unlinkSync(join(folder, name));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
