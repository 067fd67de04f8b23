import { once } from 'node:events';
import type { Settings } from '#settings.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client.ts';
import { dataPathsOf } from './paths.ts';
import { takeProcessLock } from './process-lock.ts';
import { startEngine } from './start-engine.ts';
import { warehouseAddressOf } from './warehouse-address.ts';

/**
 * What `work` answers, done with a warehouse that runs: the serving one, or an embedded engine
 * that is started for the time of the work. It also hears whether a server runs meanwhile.
 *
 * - Throws when the engine cannot be started, with what it said.
 */
export async function withWarehouse<T>(
  settings: Settings,
  work: (warehouse: Warehouse, state: { readonly isServing: boolean }) => Promise<T>,
): Promise<T> {
  const paths = dataPathsOf(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, 0);
  const warehouse = createWarehouse(warehouseAddressOf(settings));
  const engine =
    lock !== undefined && settings.clickhouseUrl === undefined ? startEngine(paths) : undefined;
  try {
    if (engine !== undefined) await readiness(engine);
    await applySchema(warehouse);
    return await work(warehouse, { isServing: lock === undefined });
  } finally {
    await warehouse.close();
    if (engine?.exitCode === null) {
      engine.kill('SIGTERM');
      await once(engine, 'exit');
    }
    lock?.release();
  }
}

async function readiness(engine: ReturnType<typeof startEngine>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    engine.once('message', () => resolve());
    engine.once('exit', (code) =>
      reject(new Error(`The engine could not start (exit code ${code}).`)),
    );
  });
}
