import { parentPort, workerData } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { shipAlone } from '#journal/shipping-lock.ts';
import { watchShipping } from '#journal/watch-shipping.ts';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { type ErasePaths, eraseNext } from './erase.ts';

/**
 * A thread that does the erasures that wait and deletes what sites keep no longer, and ends.
 *
 * Why a thread of its own: it reads and writes whole files, which no request waits for.
 */
export type EraseWorkerOptions = {
  readonly ledger: string;
  readonly warehouse: WarehouseAddress;
  readonly paths: ErasePaths;
};

/** What it reports while it works. */
export type EraseMessage =
  | { readonly kind: 'wake' }
  | { readonly kind: 'unread'; readonly unread: UnreadBytes };

const post = (message: EraseMessage) => parentPort?.postMessage(message);
const { ledger, warehouse: address, paths } = workerData as EraseWorkerOptions;
const erasures = openErasures(ledger, Date.now);
const warehouse = createWarehouse(address);
const shipping = watchShipping({ journals: paths.journals, ledger });
try {
  const ports = {
    erasures,
    warehouse,
    paths,
    waitForShipping: shipping.shipped,
    alone: shipAlone,
    wake: () => post({ kind: 'wake' }),
    reportUnread: (unread: UnreadBytes) => post({ kind: 'unread', unread }),
    now: Date.now,
  };
  erasures.requestExpiries();
  while (await eraseNext(ports));
} finally {
  shipping.close();
  await warehouse.close();
  erasures.close();
}
