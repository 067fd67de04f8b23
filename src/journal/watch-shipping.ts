import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import { listJournalFiles } from '#storage/list-journals.ts';

/** Knows when accepted events have left journal and outbox. */
export interface ShippingWatch {
  /**
   * Resolves when the warehouse has every event that was accepted before the call.
   * Throws UnavailableError when that takes too long.
   */
  shipped(): Promise<void>;
  close(): void;
}

/** Where events wait: the journal's folder, and the ledger with its outbox. */
export type ShippingPlaces = { readonly journals: string; readonly ledger?: string };

const WAIT_MAX_MS = 5_000;
const LOOK_EVERY_MS = 50;
const WAITING = 'SELECT min(seq) AS oldest, max(seq) AS newest FROM batches';

/**
 * Watches the journal in a folder, and the outbox of a ledger.
 *
 * Why the files and not a fixed wait: shipping takes longer under load and after a crash, and when
 * nothing waits to be shipped there is nothing to wait for.
 */
export function watchShipping(
  { journals, ledger }: ShippingPlaces,
  { waitMaxMs = WAIT_MAX_MS }: { readonly waitMaxMs?: number } = {},
): ShippingWatch {
  let isClosed = false;

  /** The newest waiting batch of each queue that has any. */
  function readMarks(): Map<string, number> {
    const paths = [...listJournalFiles(journals), ...(ledger === undefined ? [] : [ledger])];
    const found = paths.map((path) => [path, readWaiting(path)?.newest] as const);
    return new Map(found.filter((mark): mark is [string, number] => mark[1] !== undefined));
  }

  return {
    async shipped() {
      const until = performance.now() + waitMaxMs;
      for (let marks = [...readMarks()]; isClosed || marks.length > 0; ) {
        if (isClosed || performance.now() > until) {
          throw new UnavailableError('Events accepted before are not in the warehouse yet.');
        }
        await sleep(LOOK_EVERY_MS);
        marks = marks.filter(([path, mark]) => (readWaiting(path)?.oldest ?? mark + 1) <= mark);
      }
    },
    close() {
      isClosed = true;
    },
  };
}

/** The oldest and newest batch that waits; nothing in a file that is just being made, or was removed. */
function readWaiting(path: string): { oldest: number; newest: number } | undefined {
  if (!existsSync(path)) return undefined;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    const row = db.prepare(WAITING).get();
    if (row === undefined || row.oldest === null) return undefined;
    return { oldest: Number(row.oldest), newest: Number(row.newest) };
  } catch (error) {
    if (/no such table/.test(String(error)) || !existsSync(path)) return undefined;
    throw error;
  } finally {
    db?.close();
  }
}
