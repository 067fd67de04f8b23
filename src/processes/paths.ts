import { join, resolve } from 'node:path';
import type { Settings } from '#settings.ts';
import type { WarehouseAddress } from '#warehouse/client/client.ts';
import { findSocketFolder } from './socket-folder.ts';

/** The paths of all files under `DATA_DIR`. */
export type DataPaths = Readonly<ReturnType<typeof dataPathsOf>>;

/** The paths under a data directory. With a database, that is where the ledger and the accounts are. */
export function dataPathsOf(dataDir: string, databaseUrl?: string) {
  const root = resolve(dataDir);
  const run = join(root, 'run');
  return {
    /** The path of the ledger's file, or the URL of its database. */
    ledger: databaseUrl ?? join(root, 'ledger.db'),
    /** Logins, sessions and roles: the path of their file, or the URL of their database. */
    accounts: databaseUrl ?? join(root, 'accounts.sqlite'),
    /** The journal's folder. */
    journals: join(root, 'journal'),
    archive: join(root, 'archive'),
    dailyKeys: join(root, 'daily-keys'),
    /** By which a database knows this folder. */
    dataDirId: join(root, 'data-dir.id'),
    /** The key that signs cursors. */
    cursorKey: join(root, 'cursors.key'),
    /** The key that encrypts the secrets of connected providers, unless SECRET_KEY is set. */
    secretKey: join(root, 'secrets.key'),
    /** The last trusted reading of the clock. */
    clock: join(root, 'clock.json'),
    /** Exchange rates newer than the bundled ones; may be absent. */
    rates: join(root, 'rates.csv'),
    warehouse: join(root, 'warehouse'),
    /** Read anew each time: its folder may be made when a server starts. */
    get warehouseSocket() {
      return join(findSocketFolder(run), 'warehouse.sock');
    },
    /** The separate data directory in which a rebuild works. */
    rebuild: join(root, 'rebuild'),
    /** A complete rebuilt warehouse that is about to replace the old one. */
    rebuiltWarehouse: join(root, 'warehouse.rebuilt'),
    /** The accepted gaps of the current warehouse. */
    acceptedGaps: join(root, 'accepted-gaps.json'),
    run,
    serveLock: join(run, 'serve.lock'),
    webLock: join(run, 'web.lock'),
    server: join(run, 'server.json'),
  };
}

/** The configured warehouse: a ClickHouse server or the embedded engine. */
export function warehouseAddressOf(settings: Settings): WarehouseAddress {
  const { clickhouseUrl: url, engineMemoryBytes, queryMaxMs, dataDir } = settings;
  const limits = { engineMemoryBytes, queryMaxMs };
  if (url !== undefined) return { kind: 'remote', url, ...limits };
  return { kind: 'embedded', socketPath: dataPathsOf(dataDir).warehouseSocket, ...limits };
}
