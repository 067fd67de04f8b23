import { type ChildProcess, fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WarehouseAddress } from '../client/client.ts';
import type { RatesOrder } from './load-rates-process.ts';

/** How often to check for updated rates. */
const CHECK_EVERY_MS = 10_000;

const LOADER = fileURLToPath(new URL('./load-rates-process.ts', import.meta.url));

/** Options for loading rates: the warehouse, the file of additional rates, and the clock. */
export type KeptRates = {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: () => number;
  /** Called when rates could not be loaded. Loading will be retried. */
  readonly onFailure: (message: string) => void;
};

/** Loads updated rates until it is stopped. */
export interface RatesKeeper {
  /** Whether the first load has finished or failed. Queries do not wait for a broken file. */
  isDone(): boolean;
  stop(): void;
}

/** Loads the exchange rates into the warehouse now, and again whenever their file has changed. */
export function keepRatesLoaded(kept: KeptRates): RatesKeeper {
  let loaded: string | undefined;
  let isDone = false;
  let loader: ChildProcess | undefined;
  function check(): void {
    const version = versionOf(kept.path);
    if (loader !== undefined || version === loaded) return;
    loader = startLoader(kept);
    loader.once('close', (code) => {
      loader = undefined;
      isDone = true;
      if (code === 0) loaded = version;
    });
  }
  const timer = setInterval(check, CHECK_EVERY_MS);
  timer.unref();
  check();
  return {
    isDone: () => isDone,
    stop() {
      clearInterval(timer);
      loader?.kill();
    },
  };
}

/** Loads the rates once. Resolves when loading has finished or failed. */
export function loadRatesOnce(kept: KeptRates): Promise<void> {
  return new Promise((resolve) => startLoader(kept).once('close', () => resolve()));
}

function startLoader({ address, path, now, onFailure }: KeptRates): ChildProcess {
  const order: RatesOrder = { address, path, now: now() };
  const loader = fork(LOADER, [JSON.stringify(order)]);
  loader.on('message', ({ failure }: { failure: string }) => onFailure(failure));
  loader.once('error', (error) => onFailure(error.message));
  return loader;
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
