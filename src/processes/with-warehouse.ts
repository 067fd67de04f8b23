import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#settings.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client/client.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { assertEngine } from './assert-engine.ts';
import { endProcess } from './keep-process.ts';
import { type DataPaths, dataPathsOf, warehouseAddressOf } from './paths.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { startEngine } from './start-engine.ts';
import { assertDataDir } from './start-troubles.ts';

const START_MAX_MS = 2_000;
const START_RETRY_MS = 250;
/** A hung engine is killed after this, and recovers as after a crash. */
const ENGINE_GRACE_MS = 5_000;

/**
 * Runs `work` with the running server's warehouse, or with an embedded engine started for it. `work`
 * also learns whether a server is running.
 *
 * - Throws if `DATA_DIR` is not writable, or the engine cannot start, with the engine's message.
 */
export async function withWarehouse<T>(
  settings: Settings,
  work: (warehouse: Warehouse, state: { readonly isServing: boolean }) => Promise<T>,
): Promise<T> {
  const paths = dataPathsOf(settings.dataDir, settings.databaseUrl);
  assertDataDir(settings.dataDir);
  if (settings.clickhouseUrl === undefined) assertEngine();
  const lock = takeProcessLock(paths.serveLock, 0);
  const isOwn = lock !== undefined && settings.clickhouseUrl === undefined;
  if (isOwn) makeSocketFolder(paths.run);
  const warehouse = createWarehouse(warehouseAddressOf(settings));
  let engine: ChildProcess | undefined;
  try {
    if (isOwn) engine = await startReadyEngine(paths, settings.engineMemoryBytes);
    await applySchema(warehouse);
    return await work(warehouse, { isServing: lock === undefined });
  } finally {
    await warehouse.close();
    if (engine !== undefined) await endProcess(engine, ENGINE_GRACE_MS);
    if (isOwn) removeSocketFolder(paths.run);
    lock?.release();
  }
}

/** Starts an engine. Retries, because the engine of a killed command may take a moment to release its files. */
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
