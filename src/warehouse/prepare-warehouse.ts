import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse, WarehouseAddress } from './client.ts';
import { keepRatesLoaded, type RatesKeeper } from './rates/keep-rates-loaded.ts';
import { applySchema } from './tables/apply-schema.ts';

/** A warehouse on its way to be ready for queries. */
export interface Preparation {
  /**
   * Throws UnavailableError while tables or exchange rates are missing: without rates the warehouse would
   * answer too little money.
   */
  assertReady(): void;
  stop(): void;
}

/** What is to be prepared. */
export type PreparationOptions = {
  readonly warehouse: Warehouse;
  readonly address: WarehouseAddress;
  /** The file that adds to the program's own exchange rates. */
  readonly ratesPath: string;
  /** Called once the tables are there. */
  onApplied(): void;
  /** Hears what could not be done, and why; it is tried again. */
  readonly onFailure: (what: string, reason: string) => void;
};

const AWAY_RETRY_MS = 100;
/** What the warehouse itself refuses is not mended in a moment. */
const REFUSED_RETRY_MS = 5_000;

/** Makes the warehouse's tables as soon as it answers, then loads the exchange rates. Writes go on meanwhile. */
export function prepareWarehouse(options: PreparationOptions): Preparation {
  const { warehouse, address, ratesPath, onFailure } = options;
  let rates: RatesKeeper | undefined;
  let isStopped = false;

  async function untilApplied(): Promise<void> {
    while (!isStopped) {
      try {
        await applySchema(warehouse);
        return;
      } catch (error) {
        const isAway = error instanceof UnavailableError;
        if (!isAway && !isStopped) onFailure('The warehouse refuses its tables.', String(error));
        await sleep(isAway ? AWAY_RETRY_MS : REFUSED_RETRY_MS, undefined, { ref: false });
      }
    }
  }

  void untilApplied().then(() => {
    if (isStopped) return;
    options.onApplied();
    rates = keepRatesLoaded({
      ...{ address, path: ratesPath, now: Date.now },
      onFailure: (reason) => onFailure('No new exchange rates.', reason),
    });
  });
  return {
    assertReady() {
      if (rates?.isDone() !== true) throw new UnavailableError('The warehouse is starting.');
    },
    stop() {
      isStopped = true;
      rates?.stop();
    },
  };
}
