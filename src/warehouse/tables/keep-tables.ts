import type { Warehouse, WarehouseAddress } from '../client.ts';
import { loadRatesOnce } from '../rates/keep-rates-loaded.ts';
import { lacksTables } from '../warehouse-unavailable.ts';
import { applySchema } from './apply-schema.ts';

/** The tables of the warehouse, for inserts. */
export interface KeptTables {
  /** Does the work once the tables are there. One that finds them lost throws, and the next makes them anew. */
  use<T>(work: () => Promise<T>): Promise<T>;
}

/** Which tables, and how they are made anew. */
export type KeptTablesOptions = {
  readonly warehouse: Warehouse;
  readonly address: WarehouseAddress;
  /** The file that adds to the program's own exchange rates. */
  readonly ratesPath: string;
  /** Does the work while nobody inserts. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Hears that tables were lost, and of rates that cannot be loaded. */
  report(trouble: string): void;
};

/**
 * Makes the warehouse's tables before the first insert, and again when it has lost them under a running
 * server, as when its folder was removed.
 *
 * - Why alone then: events that arrive before the views are there would never be in them.
 * - Why with the rates: without them queries would answer too little money.
 */
export function keepTables(options: KeptTablesOptions): KeptTables {
  const { warehouse, address, ratesPath, alone, report } = options;
  let areMade = false;
  let mayBeLost = false;

  async function make(): Promise<void> {
    if (mayBeLost) await alone(makeAnew);
    else await applySchema(warehouse);
    areMade = true;
    mayBeLost = false;
  }

  async function makeAnew(): Promise<void> {
    if ((await applySchema(warehouse)) === 0) return; // Another process was faster.
    report('The warehouse had lost its tables. They are made anew; run verify, then rebuild.');
    const onFailure = (reason: string) => report(`No exchange rates: ${reason}`);
    await loadRatesOnce({ address, path: ratesPath, now: Date.now, onFailure });
  }

  return {
    async use(work) {
      if (!areMade) await make();
      try {
        return await work();
      } catch (error) {
        if (lacksTables(error)) {
          areMade = false;
          mayBeLost = true;
        }
        throw error;
      }
    },
  };
}
