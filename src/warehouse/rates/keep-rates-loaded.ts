import { type ChildProcess, fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WarehouseAddress } from '../client.ts';
import type { RatesOrder } from './load-rates-process.ts';

/** How soon rates that were updated are used. */
const LOOK_EVERY_MS = 10_000;

const LOADER = fileURLToPath(new URL('./load-rates-process.ts', import.meta.url));

/** What loading rates needs: where to, the file that adds to the program's own, and the time. */
export type KeptRates = {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: () => number;
  /** Hears why rates could not be loaded; they are tried again. */
  readonly onFailure: (message: string) => void;
};

/** What loads the rates, until it is stopped. */
export interface RatesKeeper {
  /** Whether the rates of the start have been loaded, or cannot be: nobody waits for a broken file. */
  isDone(): boolean;
  stop(): void;
}

/** Loads the exchange rates into the warehouse now, and again whenever their file has changed. */
export function keepRatesLoaded(kept: KeptRates): RatesKeeper {
  let loaded: string | undefined;
  let isDone = false;
  let loader: ChildProcess | undefined;
  function look(): void {
    const version = versionOf(kept.path);
    if (loader !== undefined || version === loaded) return;
    loader = startLoader(kept);
    loader.once('close', (code) => {
      loader = undefined;
      isDone = true;
      if (code === 0) loaded = version;
    });
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  look();
  return {
    isDone: () => isDone,
    stop() {
      clearInterval(timer);
      loader?.kill();
    },
  };
}

/** Loads them once; resolves when that has ended, well or not. */
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
