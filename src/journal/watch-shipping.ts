import type { StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import { openQueue, type QueueFile, queuePathsIn, type ShippingPlaces } from './queue-files.ts';

/** Knows when accepted events have left journals and outbox, of whatever process. */
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
 * Watches the journals in a folder, and the outbox of a ledger.
 *
 * Why the files and not a fixed wait: shipping takes longer under load and after a crash, and when
 * nothing waits to be shipped there is nothing to wait for.
 */
export function watchShipping(
  places: ShippingPlaces,
  { waitMaxMs = WAIT_MAX_MS }: { readonly waitMaxMs?: number } = {},
): ShippingWatch {
  const queues = new Map<string, QueueFile & { readonly waiting: StatementSync }>();
  let closed = false;

  function readWaiting(path: string): { oldest: number; newest: number } | undefined {
    const row = (findOpen(path) ?? open(path))?.waiting.get();
    if (row === undefined || row.oldest === null) return undefined;
    return { oldest: Number(row.oldest), newest: Number(row.newest) };
  }

  function findOpen(path: string) {
    const queue = queues.get(path);
    if (queue === undefined || queue.isThere()) return queue;
    queue.db.close();
    queues.delete(path);
    return undefined;
  }

  function open(path: string) {
    const queue = openQueue(path);
    if (queue === undefined) return undefined;
    const opened = { ...queue, waiting: queue.db.prepare(WAITING) };
    queues.set(path, opened);
    return opened;
  }

  /** The newest waiting batch of each queue that has any. */
  function readMarks(): Map<string, number> {
    const marks = new Map<string, number>();
    for (const path of queuePathsIn(places)) {
      const waiting = readWaiting(path);
      if (waiting !== undefined) marks.set(path, waiting.newest);
    }
    return marks;
  }

  function isShipped([path, mark]: readonly [string, number]): boolean {
    const waiting = readWaiting(path);
    return waiting === undefined || waiting.oldest > mark;
  }

  return {
    async shipped() {
      const until = performance.now() + waitMaxMs;
      let marks = closed ? CLOSED : [...readMarks()];
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
      for (const { db } of queues.values()) db.close();
    },
  };
}

/** Once nobody looks any more, nothing is known to be shipped. */
const CLOSED: [string, number][] = [['', 0]];

const WAITING = 'SELECT min(seq) AS oldest, max(seq) AS newest FROM batches';
