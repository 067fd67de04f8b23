import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';

/** Knows when accepted events have left the journals, of whatever process. */
export interface ShippingWatch {
  /**
   * Resolves when the warehouse has every event that was accepted before the call.
   * Throws UnavailableError when that takes too long.
   */
  shipped(): Promise<void>;
  close(): void;
}

const WAIT_MAX_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Watches the journals in `folder`.
 *
 * Why the files and not a fixed wait: shipping takes longer under load and after a crash, and when
 * nothing waits to be shipped there is nothing to wait for.
 */
export function watchShipping(
  folder: string,
  { waitMaxMs = WAIT_MAX_MS }: { readonly waitMaxMs?: number } = {},
): ShippingWatch {
  const journals = new Map<
    string,
    { readonly db: DatabaseSync; readonly waiting: StatementSync }
  >();
  let closed = false;

  function readWaiting(name: string): { oldest: number; newest: number } | undefined {
    const row = (journals.get(name) ?? open(name))?.waiting.get();
    if (row === undefined || row.oldest === null) return undefined;
    return { oldest: Number(row.oldest), newest: Number(row.newest) };
  }

  function open(name: string) {
    const db = new DatabaseSync(join(folder, name), { readOnly: true, timeout: 1_000 });
    if (db.prepare(IS_MADE).get() === undefined) {
      db.close(); // Its process is just making it: nothing is accepted there yet.
      return undefined;
    }
    const opened = { db, waiting: db.prepare(WAITING) };
    journals.set(name, opened);
    return opened;
  }

  /** The newest waiting batch of each journal that has any. */
  function readMarks(): Map<string, number> {
    const marks = new Map<string, number>();
    for (const name of namesIn(folder)) {
      const waiting = readWaiting(name);
      if (waiting !== undefined) marks.set(name, waiting.newest);
    }
    return marks;
  }

  function isShipped([name, mark]: readonly [string, number]): boolean {
    const waiting = readWaiting(name);
    return waiting === undefined || waiting.oldest > mark;
  }

  return {
    async shipped() {
      const until = performance.now() + waitMaxMs;
      let marks = [...readMarks()];
      while (marks.length > 0) {
        if (closed || performance.now() > until) {
          throw new UnavailableError('Events accepted before are not in the warehouse yet.');
        }
        await sleep(LOOK_EVERY_MS);
        marks = closed ? marks : marks.filter((mark) => !isShipped(mark));
      }
    },
    close() {
      closed = true;
      for (const { db } of journals.values()) db.close();
    },
  };
}

const IS_MADE = "SELECT 1 FROM sqlite_schema WHERE name = 'batches'";

const WAITING = `
SELECT (SELECT min(seq) FROM batches) AS oldest, (SELECT max(seq) FROM batches) AS newest`;

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.db'));
}
