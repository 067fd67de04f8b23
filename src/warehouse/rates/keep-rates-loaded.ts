import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keepRunning } from '#jobs/keep-running.ts';
import type { WarehouseAddress } from '../client/client.ts';
import type { RatesOrder } from './load-rates-process.ts';
import { otherRatesOf } from './read-rates.ts';

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

/** Loads the exchange rates into the warehouse now, and again whenever their file has changed. */
export function keepRatesLoaded(kept: KeptRates) {
  let loaded: string | undefined;
  let isDone = false;
  const job = keepRunning({
    ...{ name: 'exchange_rates', everyMs: CHECK_EVERY_MS },
    async run(stopped) {
      const version = versionOf(kept.path);
      if (version === loaded) return;
      await loadRates(kept, stopped).finally(() => {
        isDone = true; // Queries do not wait for a broken file.
      });
      loaded = version;
    },
    onChange: (failure) => failure && kept.onFailure(failure.message),
  });
  job.wake();
  return { isDone: () => isDone, stop: job.stop };
}

/** Loads the rates once. Resolves when loading has finished or failed. */
export async function loadRatesOnce(kept: KeptRates): Promise<void> {
  await loadRates(kept).catch((error: Error) => kept.onFailure(error.message));
}

async function loadRates({ address, path, now }: KeptRates, signal?: AbortSignal): Promise<void> {
  const order: RatesOrder = { address, path, now: now() };
  const loader = fork(LOADER, [JSON.stringify(order)], signal && { signal });
  let failure: string | undefined;
  loader.on('message', (message: { failure: string }) => {
    ({ failure } = message);
  });
  const [code] = await once(loader, 'close');
  if (code !== 0) throw new Error(failure ?? `Their process ended with ${code}.`);
}

function versionOf(path: string): string {
  const versions = [path, otherRatesOf(path)].map((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  });
  return versions.join();
}
