import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./record-calls.c', import.meta.url));
const EATMYDATA = ['/usr/lib/*/libeatmydata.so', '/usr/lib*/libeatmydata.so'];

/** Compiles the library that records calls into `folder`; returns its path. Throws gcc's message. */
export function buildRecorder(folder: string): string {
  const path = join(folder, 'record-calls.so');
  const gcc = spawnSync('gcc', ['-shared', '-fPIC', '-O2', '-w', '-o', path, SOURCE, '-ldl']);
  if (gcc.status !== 0) throw new Error(`gcc: ${gcc.error ?? gcc.stderr}`);
  return path;
}

/** Why the recorder cannot be built here; `undefined` if it can. */
export function findRecorderObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  return spawnSync('gcc', ['--version']).status === 0 ? undefined : 'gcc is not installed';
}

/** The path of eatmydata's library, which disables every fsync; `undefined` if missing. */
export function findEatmydata(): string | undefined {
  return globSync(EATMYDATA).find((path) => existsSync(path));
}
