import { type MessagePort, workerData } from 'node:worker_threads';
import { shipAlone } from '#journal/shipping-lock.ts';
import { readUptimeMs } from '#storage/keep-clock.ts';
import { callThrough } from '#storage/worker-calls.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client/client.ts';
import { type ErasePaths, type ErasePorts, eraseNext } from './erase.ts';
import type { Erasures } from './ports.ts';

/**
 * Options of the worker thread that runs pending erasures, deletes events past retention, and exits.
 *
 * Why a thread: it reads and writes whole files, and requests must not wait for that.
 */
export type EraseWorkerOptions = {
  /** Ports to the ledger's owner and to the web process. */
  readonly ledgerPort: MessagePort;
  readonly webPort: MessagePort;
  readonly warehouse: WarehouseAddress;
  readonly paths: ErasePaths;
};

/** What the thread calls of the web process. */
export type EraseCalls = Pick<
  ErasePorts,
  'waitForShipping' | 'wake' | 'leaveArchiveFile' | 'reportUnread'
>;

/** Runs this thread with the ledger at a port. */
export async function runEraseThread(call: (ledgerPort: MessagePort) => Erasures): Promise<void> {
  const options = workerData as EraseWorkerOptions;
  const erasures = call(options.ledgerPort);
  const warehouse = createWarehouse(options.warehouse);
  const { calls, tell } = callThrough<EraseCalls>({}, options.webPort);
  try {
    const ports = {
      ...{ erasures, warehouse, paths: options.paths, uptimeMs: readUptimeMs, alone: shipAlone },
      waitForShipping: calls.waitForShipping,
      ...{ wake: tell.wake, leaveArchiveFile: tell.leaveArchiveFile },
      reportUnread: tell.reportUnread,
    };
    await erasures.requestExpiries();
    while (await eraseNext(ports));
  } finally {
    await warehouse.close();
    await erasures.close();
    options.webPort.close();
  }
}
