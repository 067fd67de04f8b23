import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#settings.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { applySchema } from '#warehouse/tables/apply-schema.ts';
import { endProcess } from './keep-running.ts';
import { type DataPaths, dataPathsOf, warehouseAddressOf } from './paths.ts';
import { startEngine } from './start-engine.ts';
import { assertDataDir } from './start-troubles.ts';

const START_MAX_MS = 2_000;
const START_RETRY_MS = 250;
/** An engine that is stopped or hangs hears nothing; killed, it is mended as after a crash. */
const ENGINE_GRACE_MS = 5_000;

/**
 * What `work` answers, done with a warehouse that runs: the serving one, or an embedded engine
 * that is started for the time of the work. It also hears whether a server runs meanwhile.
 *
 * - Throws when `DATA_DIR` cannot be written to, or the engine not started, with what it said.
 */
export async function withWarehouse<T>(
  settings: Settings,
  work: (warehouse: Warehouse, state: { readonly isServing: boolean }) => Promise<T>,
): Promise<T> {
  const paths = dataPathsOf(settings.dataDir);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, 0);
  const warehouse = createWarehouse(warehouseAddressOf(settings));
  const isOwn = lock !== undefined && settings.clickhouseUrl === undefined;
  let engine: ChildProcess | undefined;
  try {
    if (isOwn) engine = await startReadyEngine(paths, settings.engineMemoryBytes);
    await applySchema(warehouse);
    return await work(warehouse, { isServing: lock === undefined });
  } finally {
    await warehouse.close();
    if (engine !== undefined) await endProcess(engine, ENGINE_GRACE_MS);
    lock?.release();
  }
}

/** The engine of a command that was killed may take a moment to let go of its files. */
async function startReadyEngine(paths: DataPaths, memoryBytes: number): Promise<ChildProcess> {
  const until = performance.now() + START_MAX_MS;
  for (;;) {
    const engine = startEngine(paths, memoryBytes);
    try {
      await readiness(engine);
      return engine;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(START_RETRY_MS);
    }
  }
}

async function readiness(engine: ChildProcess): Promise<void> {
  const ended = once(engine, 'exit').then(([code, signal]) => {
    throw new Error(`The engine could not start (${signal ?? `exit code ${code}`}).`);
  });
  await Promise.race([once(engine, 'message'), ended]);
}
