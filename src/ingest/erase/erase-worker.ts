import { parentPort, workerData } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { shipAlone } from '#journal/shipping-lock.ts';
import { watchShipping } from '#journal/watch-shipping.ts';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { openExpiries } from '#ledger/erasure/open-expiries.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { type ErasePaths, eraseNext } from './erase.ts';
import { expireNext, expireUnfinished } from './expire.ts';

/**
 * A thread that ends what was broken off, does the erasures that wait, lets go what sites do not keep any longer, and ends.
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
const erasures = openErasures(ledger);
const expiries = openExpiries(ledger, Date.now);
const warehouse = createWarehouse(address);
const shipping = watchShipping({ journals: paths.journals, ledger });
try {
  const ports = {
    erasures,
    expiries,
    warehouse,
    paths,
    waitForShipping: shipping.shipped,
    alone: shipAlone,
    wake: () => post({ kind: 'wake' }),
    reportUnread: (unread: UnreadBytes) => post({ kind: 'unread', unread }),
    now: Date.now,
  };
  await expireUnfinished(ports);
  while ((await eraseNext(ports)) || (await expireNext(ports)));
} finally {
  shipping.close();
  await warehouse.close();
  expiries.close();
  erasures.close();
}
