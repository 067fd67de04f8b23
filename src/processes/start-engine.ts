import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { DataPaths } from './paths.ts';
import { finishReplacement } from './replace-warehouse.ts';

/** Threads for the engine's statements. Four concurrent ones would use up Node's default pool of four. */
const ENGINE_THREADS = '12';
/**
 * How long the engine keeps freed memory for its next statements, six times as long as its default: a page taken from
 * the machine again costs more than the work done in it. (jemalloc)
 */
const ENGINE_MEMORY = 'dirty_decay_ms:30000';
/** A lower priority than the web process, so that shipping and merging yield to requests. */
const ENGINE_NICENESS = 10;

/** Starts the embedded engine's process. It sends `ready` when its socket accepts queries. */
export function startEngine(paths: DataPaths, memoryBytes: number): ChildProcess {
  finishReplacement(paths);
  const main = fileURLToPath(new URL('../warehouse/engine/engine-child.ts', import.meta.url));
  const child = fork(main, [paths.warehouse, paths.warehouseSocket, String(memoryBytes)], {
    env: { ...process.env, UV_THREADPOOL_SIZE: ENGINE_THREADS, JE_MALLOC_CONF: ENGINE_MEMORY },
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** Called immediately, so that all of the engine's threads inherit it. Fails if the child is already dead. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, ENGINE_NICENESS);
  } catch {
    // The supervisor notices the death by itself.
  }
}
