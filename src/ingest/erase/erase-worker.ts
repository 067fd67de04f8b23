import { parentPort, workerData } from 'node:worker_threads';
import { watchShipping } from '#journal/watch-shipping.ts';
import { openErasures } from '#ledger/open-erasures.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { type ErasePaths, eraseNext } from './erase.ts';

/**
 * A thread that does the erasures that wait, and ends.
 *
 * Why a thread of its own: it reads and writes whole files, which no request waits for.
 */
export type EraseWorkerOptions = {
  readonly ledger: string;
  readonly warehouse: WarehouseAddress;
  readonly paths: ErasePaths;
};

const { ledger, warehouse: address, paths } = workerData as EraseWorkerOptions;
const erasures = openErasures(ledger);
const warehouse = createWarehouse(address);
const shipping = watchShipping({ journals: paths.journals, ledger });
try {
  const ports = {
    erasures,
    warehouse,
    paths,
    waitForShipping: shipping.shipped,
    wake: () => parentPort?.postMessage('wake'),
    now: Date.now,
  };
  while (await eraseNext(ports));
} finally {
  shipping.close();
  await warehouse.close();
  erasures.close();
}
