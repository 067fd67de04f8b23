import { workerData } from 'node:worker_threads';
import { createWarehouse, type WarehouseAddress } from '../client.ts';
import { loadRates } from './load-rates.ts';

/**
 * A thread that puts the exchange rates into the warehouse and ends.
 *
 * Why a thread of its own: reading the table takes some hundred milliseconds, which no request waits for.
 */
const { address, path, now } = workerData as {
  readonly address: WarehouseAddress;
  readonly path: string;
  readonly now: number;
};

const warehouse = createWarehouse(address);
try {
  await loadRates(warehouse, path, now);
} finally {
  await warehouse.close();
}
