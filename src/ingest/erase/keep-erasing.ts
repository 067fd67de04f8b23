import { Worker } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { openExpiries } from '#ledger/erasure/open-expiries.ts';
import type { EraseMessage, EraseWorkerOptions } from './erase-worker.ts';

/** What erasing and letting go need; one web process of all does both. */
export type KeptErasing = EraseWorkerOptions & {
  /** Whether any erasure is not done yet. */
  hasErasures(): boolean;
  /** Throws while the ledger is gone: opening it then would make an empty one. */
  assertLedger(): void;
  /** Wakes the shipper when the ledger has something to ship. */
  wake(): void;
  /** Hears why an erasure could not go on; it is tried again. */
  onFailure(message: string): void;
  /** Hears of bytes of the archive that could not be looked into, and what that means. */
  onUnread(unread: UnreadBytes, what: string): void;
};

/** A request is seen this soon, from whatever process it came. */
const LOOK_EVERY_MS = 500;
/** A new day, or a site that keeps things for less time, is seen this soon. */
const LOOK_FOR_OLD_EVERY_MS = 5_000;
/** After a failure, as when the warehouse is away. */
const TRY_AGAIN_MS = 3_000;

const UNREAD =
  'Damaged bytes of the archive stay: an erasure, or letting old events go, cannot look into them. What to do: docs/reliability.md.';

/**
 * Does erasures as they are asked for, lets go what is older than its site keeps anything, and ends
 * what an earlier run has left of both.
 */
export function keepErasing(options: KeptErasing): { stop(): Promise<void> } {
  const { hasErasures, assertLedger, wake, onFailure, onUnread, ...workerData } = options;
  let worker: Worker | undefined;
  let notBefore = 0;
  let oldLookedForAt = Number.NEGATIVE_INFINITY;
  const expiries = openExpiries(options.ledger, Date.now);

  function isAnythingDue(): boolean {
    if (!hasErasures() && !isAnythingOld()) return false;
    assertLedger();
    return true;
  }

  function isAnythingOld(): boolean {
    if (performance.now() < oldLookedForAt + LOOK_FOR_OLD_EVERY_MS) return false;
    oldLookedForAt = performance.now();
    return (expiries.findUnfinished() ?? expiries.findDue()) !== undefined;
  }

  /** A ledger that cannot be read just now is read with a later look. */
  function look(): void {
    try {
      if (worker === undefined && performance.now() >= notBefore && isAnythingDue()) begin();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    notBefore = performance.now() + TRY_AGAIN_MS;
    onFailure((error as Error).message);
  }

  function begin(): void {
    worker = new Worker(new URL('./erase-worker.ts', import.meta.url), { workerData });
    worker.unref();
    worker.on('message', (message: EraseMessage) => {
      if (message.kind === 'wake') wake();
      else onUnread(message.unread, UNREAD);
    });
    worker.once('error', fail);
    worker.once('exit', () => {
      worker = undefined;
    });
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return {
    async stop() {
      clearInterval(timer);
      expiries.close();
      await worker?.terminate(); // What it has begun goes on after the next start.
    },
  };
}
