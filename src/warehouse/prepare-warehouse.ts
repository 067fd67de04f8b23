import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import { applySchema } from './apply-schema.ts';
import type { Warehouse, WarehouseAddress } from './client/client.ts';
import { keepRatesLoaded, type RatesKeeper } from './rates/keep-rates-loaded.ts';

/** The preparation of a warehouse for queries. */
export interface Preparation {
  /**
   * Throws UnavailableError while tables or exchange rates are missing. Without rates, queries would return too little
   * money.
   */
  assertReady(): void;
  stop(): void;
}

/** Options of the preparation. */
export type PreparationOptions = {
  readonly warehouse: Warehouse;
  readonly address: WarehouseAddress;
  /** The file of additional exchange rates. */
  readonly ratesPath: string;
  /** Called once the tables exist. */
  onApplied(): void;
  /** Called for each failure. It will be retried. */
  readonly onFailure: (what: string, reason: string) => void;
};

const AWAY_RETRY_MS = 100;
/** If the warehouse refuses a table, an immediate retry would fail too. */
const REFUSED_RETRY_MS = 5_000;

/** Creates the warehouse's tables as soon as it answers, then loads the exchange rates. Writes continue meanwhile. */
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
        if (!isAway && !isStopped)
          onFailure('The warehouse refuses to create its tables.', String(error));
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
