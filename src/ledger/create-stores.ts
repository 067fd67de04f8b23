import type { Database, Sql } from '#storage/sql/sql.ts';
import { createConnectionStore } from './connections/connections.ts';
import { createKeyStore } from './keys/keys.ts';
import { createSiteStore } from './sites/sites.ts';

/**
 * The stores of what the directory holds. A change is a transaction of its own, after which every process reloads the
 * directory.
 */
export function createDirectoryStores(db: Database, now: () => number) {
  const storesOf = (sql: Sql) => ({
    ...createSiteStore(sql, now),
    ...createKeyStore(sql, now),
    ...createConnectionStore(sql, now),
  });
  type Stores = ReturnType<typeof storesOf>;

  function inChange<Asked extends unknown[], T>(
    choose: (stores: Stores) => (...asked: Asked) => Promise<T>,
  ) {
    return (...asked: Asked): Promise<T> =>
      db.transaction(async (sql) => {
        await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'directory'");
        return choose(storesOf(sql))(...asked);
      });
  }

  return {
    ...storesOf(db),
    addSite: inChange((stores) => stores.addSite),
    setSite: inChange((stores) => stores.setSite),
    setChannels: inChange((stores) => stores.setChannels),
    rotateIdentitySecret: inChange((stores) => stores.rotateIdentitySecret),
    removeSite: inChange((stores) => stores.removeSite),
    createKey: inChange((stores) => stores.createKey),
    revokeKey: inChange((stores) => stores.revokeKey),
    rotateKey: inChange((stores) => stores.rotateKey),
    addConnection: inChange((stores) => stores.addConnection),
    setConnection: inChange((stores) => stores.setConnection),
    removeConnection: inChange((stores) => stores.removeConnection),
  };
}
