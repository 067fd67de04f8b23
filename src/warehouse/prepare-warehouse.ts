import { UnavailableError } from '#domain/unavailable.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { applySchema } from './apply-schema.ts';
import type { Warehouse, WarehouseAddress } from './client/client.ts';
import { keepRatesLoaded } from './rates/keep-rates-loaded.ts';

type PreparationOptions = {
  readonly warehouse: Warehouse;
  readonly address: WarehouseAddress;
  /** The file of additional exchange rates. */
  readonly ratesPath: string;
  /** Called once the tables exist. */
  onApplied(): void;
  /** Called for each failure. It will be retried. */
  readonly onFailure: (what: string, reason: string) => void;
};

const RETRY_MS = [100, 250] as const;

/** Creates the warehouse's tables as soon as it answers, then loads the exchange rates. Writes continue meanwhile. */
export function prepareWarehouse(options: PreparationOptions) {
  const { warehouse, address, ratesPath, onFailure } = options;
  let rates: ReturnType<typeof keepRatesLoaded> | undefined;
  const applying = keepRunning({
    ...{ name: 'warehouse_tables', retryMs: RETRY_MS },
    async run(stopped) {
      await applySchema(warehouse);
      if (stopped.aborted) return;
      options.onApplied();
      rates = keepRatesLoaded({
        ...{ address, path: ratesPath, now: Date.now },
        onFailure: (reason) => onFailure('No new exchange rates.', reason),
      });
    },
    onChange(failure) {
      if (failure === undefined || failure instanceof UnavailableError) return;
      onFailure('The warehouse refuses to create its tables.', String(failure));
    },
  });
  applying.wake();
  return {
    /** Throws UnavailableError while tables or rates are missing: without rates, queries would return too little money. */
    assertReady(): void {
      if (rates?.isDone() !== true) throw new UnavailableError('The warehouse is starting.');
    },
    async stop(): Promise<void> {
      await applying.stop();
      await rates?.stop();
    },
  };
}
