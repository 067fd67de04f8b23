import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Settings } from '#settings.ts';
import type { WarehouseAddress } from '#warehouse/client.ts';

/** The paths of all files under `DATA_DIR`. */
export type DataPaths = Readonly<ReturnType<typeof dataPathsOf>>;

/** A Unix socket's path has room for 107 bytes. */
const SOCKET_PATH_MAX_BYTES = 107;

/** The paths under a data directory. */
export function dataPathsOf(dataDir: string) {
  const root = resolve(dataDir);
  return {
    ledger: join(root, 'ledger.db'),
    /** Logins, sessions and roles. */
    accounts: join(root, 'accounts.sqlite'),
    /** The journal's folder. */
    journals: join(root, 'journal'),
    archive: join(root, 'archive'),
    dailyKeys: join(root, 'daily-keys'),
    /** The last trusted reading of the clock. */
    clock: join(root, 'clock.json'),
    /** Exchange rates newer than the bundled ones; may be absent. */
    rates: join(root, 'rates.csv'),
    warehouse: join(root, 'warehouse'),
    warehouseSocket: socketPathOf(root, 'warehouse.sock'),
    /** The separate data directory in which a rebuild works. */
    rebuild: join(root, 'rebuild'),
    /** A complete rebuilt warehouse that is about to replace the old one. */
    rebuiltWarehouse: join(root, 'warehouse.rebuilt'),
    /** The accepted gaps of the current warehouse. */
    acceptedGaps: join(root, 'accepted-gaps.json'),
    serveLock: join(root, 'run', 'serve.lock'),
    webLock: join(root, 'run', 'web.lock'),
    server: join(root, 'run', 'server.json'),
  };
}

/** In the data directory, or in a private temporary folder if that path is too long. */
function socketPathOf(root: string, name: string): string {
  const path = join(root, 'run', name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) return path;
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(tmpdir(), `tributary-${digest}`, name);
}

/** The configured warehouse: a ClickHouse server or the embedded engine. */
export function warehouseAddressOf(settings: Settings): WarehouseAddress {
  const { clickhouseUrl, engineMemoryBytes, dataDir } = settings;
  if (clickhouseUrl !== undefined) return { kind: 'remote', url: clickhouseUrl, engineMemoryBytes };
  const socketPath = dataPathsOf(dataDir).warehouseSocket;
  return { kind: 'embedded', socketPath, engineMemoryBytes };
}
