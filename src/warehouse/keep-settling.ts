import type { Warehouse } from './client.ts';
import { createCountSettler } from './settle-counts.ts';
import { createPayerSettler } from './settle-payers.ts';
import { createReturningSettler } from './settle-returning.ts';
import { createVisitSettler } from './settle-visits.ts';

const LOOK_EVERY_MS = 60_000;
/** What is made of settled visits changes when days do; looking takes as long again as for visits. */
const LOOKS_FOR_THE_REST = 5;
/** A start has other things to do. */
const FIRST_LOOK_AFTER_MS = 10_000;

/**
 * Settles visits of days that are over every minute, and what is made of them then or within five; and sees every
 * minute who came back since. One web process of all does it.
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
    writeMark: warehouse.writeMark,
  };
  const visits = createVisitSettler(untilStopped, now);
  const madeOfVisits = [
    createPayerSettler(untilStopped, now),
    createCountSettler(untilStopped, now),
  ];
  const returning = createReturningSettler(untilStopped, now);
  let looks = 0;
  let timer = setTimeout(look, FIRST_LOOK_AFTER_MS);
  timer.unref();

  async function look(): Promise<void> {
    try {
      const hasSettled = (await visits.run()) > 0;
      const isDue = hasSettled || looks % LOOKS_FOR_THE_REST === 0;
      looks += 1;
      for (const settler of isDue ? madeOfVisits : []) await settler.run();
      await returning.run();
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
