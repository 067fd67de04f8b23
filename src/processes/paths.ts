import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Settings } from '#settings.ts';
import type { WarehouseAddress } from '#warehouse/client.ts';

/** Where everything lives below `DATA_DIR`. */
export type DataPaths = {
  readonly ledger: string;
  readonly archive: string;
  readonly dailyKeys: string;
  /** Exchange rates that came after those of the program; it may be absent. */
  readonly rates: string;
  readonly warehouse: string;
  readonly warehouseSocket: string;
  /** Where a warehouse is made anew, a data directory of its own. */
  readonly rebuild: string;
  /** A warehouse made anew that is complete and takes the place of the old one next. */
  readonly rebuiltWarehouse: string;
  /** What the warehouse lacks since it was taken with its gaps. */
  readonly acceptedGaps: string;
  readonly serveLock: string;
  readonly server: string;
  /** The journal's folder. */
  readonly journals: string;
  readonly webLock: string;
};

/** A Unix socket's path has room for 107 bytes. */
const SOCKET_PATH_MAX_BYTES = 107;

/** The paths below one data directory. */
export function dataPathsOf(dataDir: string): DataPaths {
  const root = resolve(dataDir);
  return {
    ledger: join(root, 'ledger.db'),
    archive: join(root, 'archive'),
    dailyKeys: join(root, 'daily-keys'),
    rates: join(root, 'rates.csv'),
    warehouse: join(root, 'warehouse'),
    warehouseSocket: socketPathOf(root, 'warehouse.sock'),
    rebuild: join(root, 'rebuild'),
    rebuiltWarehouse: join(root, 'warehouse.rebuilt'),
    acceptedGaps: join(root, 'accepted-gaps.json'),
    serveLock: join(root, 'run', 'serve.lock'),
    server: join(root, 'run', 'server.json'),
    journals: join(root, 'journal'),
    webLock: join(root, 'run', 'web.lock'),
  };
}

/** In the data directory, or in a private folder of the temporary one when that path is too long. */
function socketPathOf(root: string, name: string): string {
  const path = join(root, 'run', name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) return path;
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(tmpdir(), `tributary-${digest}`, name);
}

/** Where these settings have the warehouse: a ClickHouse server, or the embedded engine. */
export function warehouseAddressOf(settings: Settings): WarehouseAddress {
  if (settings.clickhouseUrl !== undefined) return { kind: 'remote', url: settings.clickhouseUrl };
  return { kind: 'embedded', socketPath: dataPathsOf(settings.dataDir).warehouseSocket };
}
