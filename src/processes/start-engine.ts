import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DataPaths } from './paths.ts';
import { finishReplacement } from './replace-warehouse.ts';

/** Threads for the engine's statements; four of them at once would starve Node's default four. */
const ENGINE_THREADS = '12';

/** Starts the embedded engine's process. It tells `ready` when it answers on its socket. */
export function startEngine(paths: DataPaths): ChildProcess {
  finishReplacement(paths);
  const main = fileURLToPath(new URL('../warehouse/engine-child.ts', import.meta.url));
  return fork(main, [paths.warehouse, paths.warehouseSocket], {
    env: { ...process.env, UV_THREADPOOL_SIZE: ENGINE_THREADS },
  });
}
