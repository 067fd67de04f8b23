import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { UnreadBytes } from '#journal/archive/forget-archived.ts';
import { shipAlone } from '#journal/shipping-lock.ts';
import { readUptimeMs } from '#storage/keep-clock.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client/client.ts';
import { type ErasePaths, eraseNext } from './erase.ts';
import type { Erasures } from './ports.ts';

/**
 * Options of the worker thread that runs pending erasures, deletes events past retention, and exits.
 *
 * Why a thread: it reads and writes whole files, and requests must not wait for that.
 */
export type EraseWorkerOptions = {
  readonly ledger: string;
  /** The saved state of the clock check. */
  readonly clockPath: string;
  readonly warehouse: WarehouseAddress;
  readonly paths: ErasePaths;
};

/** Messages from the worker. */
export type EraseMessage =
  /** `ship` is answered once the warehouse has all earlier events, with the error if it failed. */
  | { readonly kind: 'wake' | 'ship' | 'leave_archive_file' }
  | { readonly kind: 'unread'; readonly unread: UnreadBytes };

/** Runs this thread with the ledger that `open` opens. */
export async function runEraseThread(
  open: (options: EraseWorkerOptions) => Promise<Erasures>,
): Promise<void> {
  const options = workerData as EraseWorkerOptions;
  const erasures = await open(options);
  const warehouse = createWarehouse(options.warehouse);
  const post = (message: EraseMessage) => parentPort?.postMessage(message);

  async function waitForShipping(): Promise<void> {
    post({ kind: 'ship' });
    const [failure] = await once(parentPort as MessagePort, 'message');
    if (failure !== undefined) throw new Error(failure);
  }

  try {
    const ports = {
      ...{ erasures, warehouse, paths: options.paths },
      waitForShipping,
      alone: shipAlone,
      wake: () => post({ kind: 'wake' }),
      leaveArchiveFile: () => post({ kind: 'leave_archive_file' }),
      reportUnread: (unread: UnreadBytes) => post({ kind: 'unread', unread }),
      uptimeMs: readUptimeMs,
    };
    await erasures.requestExpiries();
    while (await eraseNext(ports));
  } finally {
    await warehouse.close();
    await erasures.close();
  }
}
