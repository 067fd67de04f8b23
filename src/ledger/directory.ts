import type { DatabaseSync } from 'node:sqlite';
import { domainToUnicode } from 'node:url';
import { UnavailableError } from '#domain/unavailable.ts';
import { fingerprintOf, isKey } from './api-key.ts';
import { type ApiKey, stateOf, toApiKey } from './keys.ts';
import { toScriptPath } from './sites/script-path.ts';
import type { Site, SiteStore } from './sites/sites.ts';

/**
 * Sites and keys in memory, for lookups at every request.
 *
 * - Throws UnavailableError if it needs the ledger and cannot read it.
 */
export interface Directory {
  /**
   * Finds a site by id, by domain in any case (Unicode or Punycode), or by the path of its script.
   */
  findSite(idOrDomain: string): Site | undefined;
  /** The key of a token, unless it is revoked or expired. */
  findKey(token: string): ApiKey | undefined;
  /** Reloads everything if any process has changed something. */
  refresh(): void;
  /** Key uses since the last call: instants by key id. */
  takeKeyUses(): ReadonlyMap<string, number>;
}

type Snapshot = {
  readonly revision: number;
  readonly sites: ReadonlyMap<string, Site>;
  readonly keysBySha256: ReadonlyMap<string, ApiKey>;
  /** Cache of valid tokens, which saves computing their digest. */
  readonly keysByToken: Map<string, ApiKey>;
};

/**
 * Creates the directory of a ledger.
 *
 * Why everything is in memory: sites and keys are few, and requests must not wait for a lookup. An unknown
 * token costs at most a checksum, a digest and reading one number.
 */
export function createDirectory(
  db: DatabaseSync,
  siteStore: SiteStore,
  now: () => number,
): Directory {
  const readRevision = db.prepare("SELECT value FROM counters WHERE name = 'directory'");
  const readKeys = db.prepare('SELECT * FROM keys');
  let keyUses = new Map<string, number>();
  let snapshot = read();

  /** Reads the revision first. A change in between is then read again, never missed. */
  function read(): Snapshot {
    const revision = Number(readRevision.get()?.value);
    const sites = siteStore.listSites();
    return {
      revision,
      sites: new Map(sites.flatMap((site) => namesOf(site).map((name) => [name, site] as const))),
      keysBySha256: new Map(readKeys.all().map((row) => [String(row.sha256), toApiKey(row)])),
      keysByToken: new Map(),
    };
  }

  function verifyToken(token: string): ApiKey | undefined {
    if (!isKey(token)) return undefined;
    const { sha256 } = fingerprintOf(token);
    const key = findFresh(() => snapshot.keysBySha256.get(sha256));
    if (key !== undefined) snapshot.keysByToken.set(token, key);
    return key;
  }

  function refresh(): void {
    try {
      if (Number(readRevision.get()?.value) !== snapshot.revision) snapshot = read();
    } catch (error) {
      throw new UnavailableError('Sites and keys cannot be read right now.', error);
    }
  }

  /** Refreshes on a miss, because the entry may have just been added. */
  function findFresh<T>(find: () => T | undefined): T | undefined {
    const found = find();
    if (found !== undefined) return found;
    refresh();
    return find();
  }

  return {
    findSite: (idOrDomain) =>
      findFresh(
        () => snapshot.sites.get(idOrDomain) ?? snapshot.sites.get(idOrDomain.toLowerCase()),
      ),
    findKey(token) {
      const key = snapshot.keysByToken.get(token) ?? verifyToken(token);
      const at = now();
      if (key === undefined || stateOf(key, at) !== 'live') return undefined;
      keyUses.set(key.id, at);
      return key;
    },
    refresh,
    takeKeyUses() {
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
