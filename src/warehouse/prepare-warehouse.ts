import { UnavailableError } from '#domain/unavailable.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { applySchema } from './apply-schema.ts';
import type { Warehouse } from './client/client.ts';

type PreparationOptions = {
  readonly warehouse: Warehouse;
  /** Called once the tables exist. */
  onApplied(): void;
  /** Called for each failure. It will be retried. */
  readonly onFailure: (what: string, reason: string) => void;
};

const RETRY_MS = [100, 250] as const;

/** Creates the warehouse's tables as soon as it answers. Writes continue meanwhile. */
export function prepareWarehouse(options: PreparationOptions) {
  const { warehouse, onFailure } = options;
  let isApplied = false;
  const applying = keepRunning({
    ...{ name: 'warehouse_tables', retryMs: RETRY_MS },
    async run(stopped) {
      await applySchema(warehouse);
      if (stopped.aborted) return;
      isApplied = true;
      options.onApplied();
    },
    onChange(failure) {
      if (failure === undefined || failure instanceof UnavailableError) return;
      onFailure('The warehouse refuses to create its tables.', String(failure));
    },
  });
  applying.wake();
  return {
    /** Throws UnavailableError while tables are missing. */
    assertReady(): void {
      if (!isApplied) throw new UnavailableError('The warehouse is starting.');
    },
    async stop(): Promise<void> {
      await applying.stop();
    },
  };
}
