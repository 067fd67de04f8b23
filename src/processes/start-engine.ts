import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { DataPaths } from './paths.ts';
import { finishReplacement } from './replace-warehouse.ts';

/** Threads for the engine's statements; four of them at once would starve Node's default four. */
const ENGINE_THREADS = '12';
/** Behind the web processes: shipping and merging wait for a moment when nobody waits for an answer. */
const ENGINE_NICENESS = 10;

/** Starts the embedded engine's process. It reports `ready` when it answers on its socket. */
export function startEngine(paths: DataPaths, memoryBytes: number): ChildProcess {
  finishReplacement(paths);
  const main = fileURLToPath(new URL('../warehouse/engine/engine-child.ts', import.meta.url));
  const child = fork(main, [paths.warehouse, paths.warehouseSocket, String(memoryBytes)], {
    env: { ...process.env, UV_THREADPOOL_SIZE: ENGINE_THREADS },
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** At once, so that every thread the engine starts inherits it. A child that died already has none. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, ENGINE_NICENESS);
  } catch {
    // The caller that keeps it running learns of its death.
  }
}
