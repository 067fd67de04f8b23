import { rmSync } from 'node:fs';
import { type DataPaths, dataPathsOf } from '#processes/paths.ts';
import { finishReplacement, replaceWarehouse } from '#processes/replace-warehouse.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import type { Settings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { loadRates } from '#warehouse/rates/load-rates.ts';
import { saveAcceptedGaps } from '../verify/accepted-gaps.ts';
import type { Count } from '../verify/count.ts';
import { verifyCounts } from '../verify/verify-counts.ts';
import { fillWarehouse } from './fill-warehouse.ts';

/** What the caller decides about a rebuild. */
export type RebuildOptions = {
  /** Use the new warehouse although it differs, as when the archive does not hold everything. */
  readonly acceptGaps?: boolean;
};

/** The result of a rebuild. */
export type Rebuilt = {
  readonly events: number;
  readonly paymentRows: number;
  readonly counts: readonly Count[];
  /** Whether queries are answered from it now. */
  readonly inPlace: boolean;
};

/**
 * Makes the whole warehouse anew from archive and ledger, beside the old one, which it replaces when
 * every count agrees.
 *
 * - Throws when `DATA_DIR` cannot be written to, a server or a command works on the same data, or a
 *   ClickHouse server's database is not empty.
 * - Safe to kill at any time: the old warehouse stays until the new one is whole, and the next
 *   rebuild begins anew.
 */
export async function rebuildWarehouse(
  settings: Settings,
  { acceptGaps = false }: RebuildOptions,
): Promise<Rebuilt> {
  const paths = dataPathsOf(settings.dataDir);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, 0);
  if (lock === undefined) throw toHeldError(settings.dataDir, paths);
  try {
    finishReplacement(paths);
    // The engine of a rebuild that was killed may end a moment later than it.
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

/** Names what holds the data, as far as that can be known: the web process has its own lock. */
function toHeldError(dataDir: string, paths: DataPaths): Error {
  const ofWeb = takeProcessLock(paths.webLock, 0);
  ofWeb?.release();
  const other = `A command such as verify or another rebuild is at work on ${dataDir}, or a server that just starts or ends: wait until it is done`;
  return new Error(
    `${ofWeb === undefined ? `A server runs on ${dataDir}: stop it` : other}, then rebuild.`,
  );
}

async function fillAndCount(
  warehouse: Warehouse,
  paths: DataPaths,
  settings: Settings,
): Promise<Omit<Rebuilt, 'inPlace'>> {
  await assertEmpty(warehouse);
  const filled = await fillWarehouse(paths, warehouse);
  await loadRates(warehouse, paths.rates, Date.now());
  const counts = await verifyCounts(paths, warehouse, {
    isServing: false,
    archiveDays: settings.archiveDays,
  });
  return { ...filled, counts };
}

/** Never mixes new rows with what was there. */
async function assertEmpty(warehouse: Warehouse): Promise<void> {
  const [row] = await warehouse.select<{ filled: number }>({
    sql: 'SELECT (SELECT count() FROM events) + (SELECT count() FROM payments) > 0 AS filled',
  });
  if (row?.filled === 0) return;
  throw new Error(
    'The database at CLICKHOUSE_URL is not empty: make an empty one, and name that for the rebuild.',
  );
}
