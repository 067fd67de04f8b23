import { createWarehouse, type WarehouseAddress } from '../client.ts';
import { loadRates } from './load-rates.ts';

/** The process's one argument, as JSON. */
export type RatesOrder = {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: number;
};

/**
 * A process that puts the exchange rates into the warehouse and ends, or reports to its parent why not.
 *
 * Why a process of its own: reading the table takes some hundred milliseconds and eighty megabytes,
 * which a web process would keep for ever.
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
