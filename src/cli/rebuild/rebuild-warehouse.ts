import { rmSync } from 'node:fs';
import { type DataPaths, dataPathsOf } from '#processes/paths.ts';
import { finishReplacement, replaceWarehouse } from '#processes/replace-warehouse.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import type { Settings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { saveAcceptedGaps } from '../verify/accepted-gaps.ts';
import type { Check } from '../verify/count.ts';
import { verifyCounts } from '../verify/verify-counts.ts';
import { fillWarehouse } from './fill-warehouse.ts';

/** Options of a rebuild. */
export type RebuildOptions = {
  /** Use the new warehouse even if counts differ, as when the archive is incomplete. */
  readonly acceptGaps?: boolean;
};

/** The result of a rebuild. */
export type Rebuilt = {
  readonly events: number;
  readonly paymentRows: number;
  readonly counts: readonly Check[];
  /** Whether the new warehouse is in use. */
  readonly inPlace: boolean;
};

/**
 * Builds a new warehouse from archive and ledger beside the old one, and replaces the old one if
 * every count agrees.
 *
 * - Throws if `DATA_DIR` is not writable, a server or another command uses it, or the database of a
 *   ClickHouse server is not empty.
 * - Safe to kill at any time: the old warehouse stays until the new one is complete, and the next
 *   rebuild starts over.
 */
export async function rebuildWarehouse(
  settings: Settings,
  { acceptGaps = false }: RebuildOptions,
): Promise<Rebuilt> {
  const paths = dataPathsOf(settings.dataDir, settings.databaseUrl);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, 0);
  if (lock === undefined) throw toHeldError(settings.dataDir, paths);
  try {
    finishReplacement(paths);
    // The engine of a killed rebuild may exit a moment later and still write files.
    rmSync(paths.rebuild, { recursive: true, force: true, maxRetries: 10 });
    const made = await withWarehouse({ ...settings, dataDir: paths.rebuild }, (warehouse) =>
      fillAndCount(warehouse, paths, settings),
    );
    const inPlace = acceptGaps || made.counts.every((count) => count.agrees);
    if (inPlace) saveAcceptedGaps(paths, made.counts);
    if (inPlace && settings.clickhouseUrl === undefined) replaceWarehouse(paths);
    rmSync(paths.rebuild, { recursive: true, force: true });
    return { ...made, inPlace };
  } finally {
    lock.release();
  }
}

/** Names the process that holds the lock, as far as possible: a web process has its own lock. */
function toHeldError(dataDir: string, paths: DataPaths): Error {
  const ofWeb = takeProcessLock(paths.webLock, 0);
  ofWeb?.release();
  const other = `A command such as verify or another rebuild is using ${dataDir}, or a server is starting or stopping: wait until it is done`;
  return new Error(
    `${ofWeb === undefined ? `A server is running on ${dataDir}: stop it` : other}, then rebuild.`,
  );
}

async function fillAndCount(
  warehouse: Warehouse,
  paths: DataPaths,
  settings: Settings,
): Promise<Omit<Rebuilt, 'inPlace'>> {
  await assertEmpty(warehouse);
  const filled = await fillWarehouse(paths, warehouse);
  const counts = await verifyCounts(paths, warehouse, {
    isServing: false,
    archiveDays: settings.archiveDays,
  });
  return { ...filled, counts };
}

/** Prevents mixing new rows with existing ones. */
async function assertEmpty(warehouse: Warehouse): Promise<void> {
  const [row] = await warehouse.select<{ filled: number }>({
    sql: 'SELECT (SELECT count() FROM events) + (SELECT count() FROM payments) > 0 AS filled',
  });
  if (row?.filled === 0) return;
  const empty = 'Create an empty one and set CLICKHOUSE_URL to it.';
  throw new Error(`The database at CLICKHOUSE_URL is not empty. ${empty}`);
}
