import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listArchive } from '#journal/read-archive.ts';
import { type DataPaths, dataPathsOf } from '#processes/paths.ts';
import { finishReplacement, replaceWarehouse } from '#processes/replace-warehouse.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import type { Settings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { takeProcessLock } from '#warehouse/process-lock.ts';
import { loadRates } from '#warehouse/rates/load-rates.ts';
import { createProgress } from '../create-progress.ts';
import { saveAcceptedGaps } from '../verify/accepted-gaps.ts';
import type { Count } from '../verify/count.ts';
import { skippedOf } from '../verify/count-archived-events.ts';
import { verifyCounts } from '../verify/verify-counts.ts';
import { findUnderWay } from './find-under-way.ts';
import { findState, openProgress } from './open-progress.ts';
import { type RebuiltEvents, rebuildEvents } from './rebuild-events.ts';
import { rebuildPayments } from './rebuild-payments.ts';
import { rebuildPersons } from './rebuild-persons.ts';

/** What the caller decides about a rebuild. */
export type RebuildOptions = {
  /** Forget what another rebuild has done. */
  readonly fresh?: boolean;
  /** Use the warehouse although it differs, as when the archive does not hold all there was. */
  readonly acceptGaps?: boolean;
};

/** What a rebuild has come to. */
export type Rebuilt = RebuiltEvents & {
  /** Whether it went on where another one was killed. */
  readonly resumed: boolean;
  /** Whether it began anew because the last one ended with differences. */
  readonly isRepeated: boolean;
  /** Whether it began anew because nobody can read how far the last one had come. */
  readonly wasUnreadable: boolean;
  readonly paymentRows: number;
  readonly counts: readonly Count[];
  /** Whether questions are answered from it now. */
  readonly inPlace: boolean;
};

/**
 * Makes the whole warehouse anew from archive and ledger, beside the old one, which it replaces when
 * every count agrees.
 *
 * - Throws when `DATA_DIR` cannot be written to, a server or a command is at work on the same data, or a ClickHouse server's database is not empty.
 * - Killed at any time, it goes on from there when it is called again. One that ended with differences is
 *   begun anew, as it has nothing left to do, unless the differences are accepted; so is one whose progress
 *   cannot be read.
 */
export async function rebuildWarehouse(
  settings: Settings,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const paths = dataPathsOf(settings.dataDir);
  assertDataDir(settings.dataDir);
  const lock = takeProcessLock(paths.serveLock, 0);
  if (lock === undefined) throw toHeldError(settings.dataDir, paths);
  try {
    finishReplacement(paths);
    const begun = options.fresh ? 'none' : findBegun(paths, settings);
    const resumed = begun === 'unfinished' || (begun === 'ended' && options.acceptGaps === true);
    if (!resumed && settings.clickhouseUrl === undefined) {
      rmSync(paths.rebuild, { recursive: true, force: true });
    }
    const made = await withWarehouse({ ...settings, dataDir: paths.rebuild }, (warehouse) =>
      fill(warehouse, paths, settings, resumed),
    );
    const inPlace = options.acceptGaps === true || made.counts.every((count) => count.agrees);
    if (inPlace) saveAcceptedGaps(paths, made.counts);
    if (inPlace && settings.clickhouseUrl === undefined) replaceWarehouse(paths);
    else if (inPlace) rmSync(paths.rebuild, { recursive: true });
    const isRepeated = begun === 'ended' && !resumed;
    return { ...made, resumed, isRepeated, wasUnreadable: begun === 'unreadable', inPlace };
  } finally {
    lock.release();
  }
}

/** Says who is at work there, as far as that can be known: the web process has a lock of its own. */
function toHeldError(dataDir: string, paths: DataPaths): Error {
  const ofWeb = takeProcessLock(paths.webLock, 0);
  ofWeb?.release();
  return ofWeb === undefined
    ? new Error(`A server runs on ${dataDir}: stop it, then rebuild.`)
    : new Error(
        `A command such as verify or another rebuild is at work on ${dataDir}, or a server that just starts or ends: wait until it is done, then rebuild.`,
      );
}

function progressPathOf(paths: DataPaths): string {
  return join(paths.rebuild, 'progress.db');
}

/** What is there of another rebuild. Progress without its warehouse is worth nothing. */
function findBegun(
  paths: DataPaths,
  { clickhouseUrl }: Settings,
): 'none' | ReturnType<typeof findState> {
  const path = progressPathOf(paths);
  if (!existsSync(path)) return 'none';
  if (clickhouseUrl === undefined && !existsSync(dataPathsOf(paths.rebuild).warehouse)) {
    return 'none';
  }
  return findState(path);
}

async function fill(
  warehouse: Warehouse,
  paths: DataPaths,
  settings: Settings,
  resumed: boolean,
): Promise<Omit<Rebuilt, 'resumed' | 'isRepeated' | 'wasUnreadable' | 'inPlace'>> {
  if (!resumed) {
    await assertEmpty(warehouse, paths);
    for (const end of ['', '-wal', '-shm']) rmSync(progressPathOf(paths) + end, { force: true });
  }
  const progress = openProgress(progressPathOf(paths), nameOf(settings));
  try {
    const totalBytes = listArchive(paths.archive).reduce((sum, file) => sum + file.sizeBytes, 0);
    const events = await rebuildEvents({
      archive: paths.archive,
      warehouse,
      progress,
      underWay: findUnderWay(paths),
      onBytes: createProgress(totalBytes, 'bytes of the archive'),
    });
    const paymentRows = await rebuildPayments(paths.ledger, warehouse);
    await rebuildPersons(paths.ledger, warehouse);
    await loadRates(warehouse, paths.rates, Date.now());
    const counts = await verifyCounts(paths, warehouse, {
      isServing: false,
      skipped: skippedOf(settings),
      archiveDays: settings.archiveDays,
    });
    if (counts.some((count) => !count.agrees)) progress.endWithDifferences();
    return { ...events, paymentRows, counts };
  } finally {
    progress.close();
  }
}

/** Never mixes what is made anew with what was there. */
async function assertEmpty(warehouse: Warehouse, paths: DataPaths): Promise<void> {
  const [row] = await warehouse.select<{ filled: number }>({
    sql: 'SELECT (SELECT count() FROM events) + (SELECT count() FROM payments) > 0 AS filled',
  });
  if (row?.filled === 0) return;
  const path = progressPathOf(paths);
  const other =
    existsSync(path) && findState(path) === 'ended'
      ? ' The last rebuild ended with differences: "rebuild --accept-gaps" takes it as it is.'
      : '';
  throw new Error(
    `The database at CLICKHOUSE_URL is not empty: make an empty one, and name that for the rebuild.${other}`,
  );
}

/** Without user and password: it stands in a file and in messages. */
function nameOf({ clickhouseUrl }: Settings): string {
  if (clickhouseUrl === undefined) return 'the embedded warehouse';
  const { host, pathname } = new URL(clickhouseUrl);
  return `the warehouse at ${host}${pathname}`;
}
