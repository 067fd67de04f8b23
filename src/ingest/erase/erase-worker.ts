import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { shipAlone } from '#journal/shipping-lock.ts';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { readTrustedNow, readUptimeMs } from '#storage/keep-clock.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { type ErasePaths, eraseNext } from './erase.ts';

/**
 * A thread that does the erasures that wait and deletes what sites keep no longer, and ends.
 *
 * Why a thread of its own: it reads and writes whole files, which no request waits for.
 */
export type EraseWorkerOptions = {
  readonly ledger: string;
  /** The note of the clock. */
  readonly clockPath: string;
  readonly warehouse: WarehouseAddress;
  readonly paths: ErasePaths;
};

/** What it reports while it works. */
export type EraseMessage =
  /** `ship` is answered once the warehouse has every event of before, with what went wrong, if anything. */
  | { readonly kind: 'wake' | 'ship' | 'leave_archive_file' }
  | { readonly kind: 'unread'; readonly unread: UnreadBytes };

const post = (message: EraseMessage) => parentPort?.postMessage(message);
const { ledger, clockPath, warehouse: address, paths } = workerData as EraseWorkerOptions;
const erasures = openErasures(ledger, Date.now, () => readTrustedNow(clockPath));
const warehouse = createWarehouse(address);

async function waitForShipping(): Promise<void> {
  post({ kind: 'ship' });
  const [failure] = await once(parentPort as MessagePort, 'message');
  if (failure !== undefined) throw new Error(failure);
}

try {
  const ports = {
    erasures,
    warehouse,
    paths,
    waitForShipping,
    alone: shipAlone,
    wake: () => post({ kind: 'wake' }),
    leaveArchiveFile: () => post({ kind: 'leave_archive_file' }),
    reportUnread: (unread: UnreadBytes) => post({ kind: 'unread', unread }),
    uptimeMs: readUptimeMs,
  };
  erasures.requestExpiries();
  while (await eraseNext(ports));
} finally {
  await warehouse.close();
  erasures.close();
}
