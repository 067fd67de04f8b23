import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DAMAGED_FOLDER } from '#journal/set-damaged-aside.ts';
import { readQueues } from '#ledger/read-queues.ts';
import type { DataPaths } from '#processes/paths.ts';
import { type Count, toCount } from './count.ts';

/** Journal files that were damaged and are kept until somebody takes them away; no count without. */
export function countDamagedFiles(paths: DataPaths): Count[] {
  const files = listDamagedFiles(paths);
  return files.length === 0 ? [] : [toCount('damaged journal files', 0, files.length)];
}

/** Damaged files that are kept, and batches that journals and outbox have set aside. */
export function countSetAside(paths: DataPaths): {
  readonly files: number;
  readonly batches: number;
} {
  const queues = [...readQueues(paths).values()];
  const batches = queues.reduce((sum, queue) => sum + queue.damagedBatches, 0);
  return { files: listDamagedFiles(paths).length, batches };
}

function listDamagedFiles(paths: DataPaths): string[] {
  return globSync('*.db', { cwd: join(paths.journals, DAMAGED_FOLDER) });
}
