import { domainToUnicode } from 'node:url';
import { toScriptPath } from '#contract/sites/script-path.ts';
import type { Converting } from '#domain/money/rates/describe-converting.ts';
import { type ApiKey, stateOfKey } from '#domain/site/api-key.ts';
import type { Connection } from '#domain/site/connection.ts';
import type { Site } from '#domain/site/site.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { createConnectionStore } from './connections/connections.ts';
import { fingerprintOf, isKey } from './keys/api-key.ts';
import { toApiKey } from './keys/keys.ts';
import { readCounter } from './schema/counters.ts';
import { createSiteStore } from './sites/sites.ts';

type Snapshot = {
  readonly revision: number;
  readonly sites: ReadonlyMap<string, Site>;
  readonly connections: ReadonlyMap<string, Connection>;
  readonly keysBySha256: ReadonlyMap<string, ApiKey>;
  /** Cache of valid tokens, which saves computing their digest. */
  readonly keysByToken: Map<string, ApiKey>;
};

/**
 * Sites, keys and connections in memory, for lookups at every request. They are at most a second old.
 *
 * Why everything is in memory: sites and keys are few, and requests must not wait for a lookup.
 */
export async function openDirectory(sql: Sql, now: () => number) {
  const siteStore = createSiteStore(sql, now);
  let keyUses = new Map<string, number>();
  let snapshot = await read();

  /** Reads the revision first. A change in between is then read again, never missed. */
  async function read(): Promise<Snapshot> {
    const revision = await readCounter(sql, 'directory');
    const sites = await siteStore.listSites();
    const connections = await createConnectionStore(sql, now).listConnections();
    const keys = await sql.all('SELECT * FROM keys');
    return {
      revision,
      sites: new Map(sites.flatMap((site) => namesOf(site).map((name) => [name, site] as const))),
      connections: new Map(connections.map((each) => [each.id, each])),
      keysBySha256: new Map(keys.map((row) => [String(row.sha256), toApiKey(row)])),
      keysByToken: new Map(),
    };
  }

  function verifyToken(token: string): ApiKey | undefined {
    if (!isKey(token)) return undefined;
    const key = snapshot.keysBySha256.get(fingerprintOf(token).sha256);
    if (key !== undefined) snapshot.keysByToken.set(token, key);
    return key;
  }

  return {
    /** Finds a site by id, by domain in any case (Unicode or Punycode), or by the path of its script. */
    findSite: (idOrDomain: string): Site | undefined =>
      snapshot.sites.get(idOrDomain) ?? snapshot.sites.get(idOrDomain.toLowerCase()),
    /** A connection to a payment provider, unless it or its site is removed. */
    findConnection(id: string): Connection | undefined {
      const found = snapshot.connections.get(id);
      return found && snapshot.sites.has(found.siteId) ? found : undefined;
    },
    /** Whether any provider is connected to any site. */
    hasConnections: () => snapshot.connections.size > 0,
    /** The key of a token, unless it is revoked or expired. */
    findKey(token: string): ApiKey | undefined {
      const key = snapshot.keysByToken.get(token) ?? verifyToken(token);
      const at = now();
      if (key === undefined || stateOfKey(key, at) !== 'live') return undefined;
      keyUses.set(key.id, at);
      return key;
    },
    /**
     * Reloads everything if any process has changed something: also after a name or a token was not found, which may
     * have just been added. Throws UnavailableError if the ledger cannot be read.
     */
    async refresh(): Promise<void> {
      try {
        if ((await readCounter(sql, 'directory')) === snapshot.revision) return;
        const next = await read();
        if (next.revision > snapshot.revision) snapshot = next; // Not of a slower look than another's.
      } catch (error) {
        throw new UnavailableError('Sites and keys cannot be read right now.', error);
      }
    },
    /** How many payments are converted again, of how many, on all sites together. */
    countConverting(): Converting {
      const sites = new Set(snapshot.sites.values());
      const all = [...sites].flatMap(({ converting }) => converting ?? []);
      const sumOf = (what: keyof Converting) => all.reduce((sum, each) => sum + each[what], 0);
      return { converted: sumOf('converted'), payments: sumOf('payments') };
    },
    /** Key uses since the last call: instants by key id. */
    takeKeyUses(): ReadonlyMap<string, number> {
      const taken = keyUses;
      keyUses = new Map();
      return taken;
    },
  };
}

/** All names of a site. People write domains in Unicode (`bücher.example`), browsers in Punycode (`xn--…`). */
function namesOf({ id, domain }: Site): string[] {
  const names = [domain, domainToUnicode(domain)];
  return [id, toScriptPath(id), ...names, ...names.map((name) => `www.${name}`)];
}
