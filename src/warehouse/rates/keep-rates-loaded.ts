import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { WarehouseAddress } from '../client.ts';

/** How soon rates that were updated are used. */
const LOOK_EVERY_MS = 10_000;

/** What loading rates needs: where to, the file that adds to the program's own, and the time. */
export type KeptRates = {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: () => number;
  /** Hears why rates could not be loaded; they are tried again. */
  readonly onFailure: (message: string) => void;
};

/** Loads the exchange rates into the warehouse now, and again whenever their file has changed. */
export function keepRatesLoaded({ address, path, now, onFailure }: KeptRates): { stop(): void } {
  let loaded: string | undefined;
  let worker: Worker | undefined;
  function look(): void {
    const version = versionOf(path);
    if (worker !== undefined || version === loaded) return;
    worker = new Worker(new URL('./rates-worker.ts', import.meta.url), {
      workerData: { address, path, now: now() },
    });
    worker.unref();
    worker.once('error', (error) => onFailure((error as Error).message));
    worker.once('exit', (code) => {
      worker = undefined;
      if (code === 0) loaded = version;
    });
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return { stop: () => clearInterval(timer) };
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
