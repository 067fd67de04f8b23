import type { Warehouse } from './client.ts';
import { createCountSettler } from './settle-counts.ts';
import { createPayerSettler } from './settle-payers.ts';
import { createVisitSettler } from './settle-visits.ts';

const LOOK_EVERY_MS = 60_000;
/** A start has other things to do. */
const FIRST_LOOK_AFTER_MS = 10_000;

/**
 * Settles visits of days that are over, then what is made of them, every minute. One web process of all does it.
 *
 * `onFailure` hears why a run ended early; it is tried again.
 */
export function keepSettling(options: {
  readonly warehouse: Warehouse;
  readonly now: () => number;
  readonly onFailure: (message: string) => void;
}): { stop(): void } {
  const { warehouse, now, onFailure } = options;
  let isStopped = false;
  // A stop ships what is left: nothing that a run would still write may come before that.
  const unlessStopped =
    <Given extends unknown[]>(write: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      if (isStopped) throw new Error('The server stops.');
      await write(...given);
    };
  const untilStopped = {
    select: warehouse.select,
    command: unlessStopped(warehouse.command),
    insertLines: unlessStopped(warehouse.insertLines),
  };
  const settlers = [
    createVisitSettler(untilStopped, now),
    createPayerSettler(untilStopped, now),
    createCountSettler(untilStopped, now),
  ];
  let timer = setTimeout(look, FIRST_LOOK_AFTER_MS);
  timer.unref();

  async function look(): Promise<void> {
    try {
      for (const settler of settlers) await settler.run();
    } catch (error) {
      if (!isStopped) onFailure((error as Error).message);
    }
    if (isStopped) return;
    timer = setTimeout(look, LOOK_EVERY_MS);
    timer.unref();
  }
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
