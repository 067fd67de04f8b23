import { createWarehouse, type WarehouseAddress } from '../client/client.ts';
import { loadRates } from './load-rates.ts';

/** The process's only argument, as JSON. */
export type RatesOrder = {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: number;
};

/**
 * A process that loads the exchange rates into the warehouse and exits, or reports its failure to the parent.
 *
 * Why a process: reading the table takes a few hundred milliseconds and 80 MB, which a web process would
 * never release.
 */
const { address, path, now } = JSON.parse(process.argv[2] ?? '') as RatesOrder;

const warehouse = createWarehouse(address);
try {
  await loadRates(warehouse, path, now);
} catch (error) {
  process.send?.({ failure: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
} finally {
  await warehouse.close();
  if (process.connected) process.disconnect?.();
}
