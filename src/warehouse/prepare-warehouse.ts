import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse, WarehouseAddress } from './client.ts';
import { keepRatesLoaded, type RatesKeeper } from './rates/keep-rates-loaded.ts';
import { keepApplyingSchema } from './tables/keep-applying-schema.ts';

/** A warehouse on its way to be ready for queries. */
export interface Preparation {
  /**
   * Throws UnavailableError while tables are missing, or the rates that this process loads: without them
   * the warehouse would answer too little money.
   */
  assertReady(): void;
  stop(): void;
}

/** What is to be prepared. */
export type PreparationOptions = {
  readonly warehouse: Warehouse;
  readonly address: WarehouseAddress;
  /**
   * The file that adds to the program's own exchange rates; left out where another process loads them.
   */
  readonly ratesPath: string | undefined;
  /** Called once the tables are there. */
  onApplied?(): void;
  /** Hears what could not be done, and why; it is tried again. */
  readonly onFailure: (what: string, reason: string) => void;
};

/** Makes the warehouse's tables as soon as it answers, fills in the exchange rates. */
export function prepareWarehouse(options: PreparationOptions): Preparation {
  const { warehouse, address, ratesPath, onFailure } = options;
  let rates: RatesKeeper | undefined;
  function onApplied(): void {
    options.onApplied?.();
    if (ratesPath === undefined) return;
    rates = keepRatesLoaded({
      address,
      path: ratesPath,
      now: Date.now,
      onFailure: (reason) => onFailure('No new exchange rates.', reason),
    });
  }
  const schema = keepApplyingSchema(warehouse, {
    onApplied,
    onRefused: (reason) => onFailure('The warehouse refuses its tables.', reason),
  });
  return {
    assertReady() {
      if (schema.isApplied() && rates?.isSettled() !== false) return;
      throw new UnavailableError('The warehouse is starting.');
    },
    stop() {
      schema.stop();
      rates?.stop();
    },
  };
}
