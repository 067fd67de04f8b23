import type { DatabaseSync } from 'node:sqlite';
import { domainToUnicode } from 'node:url';
import { UnavailableError } from '#domain/unavailable.ts';
import { fingerprintOf, isKey } from './api-key.ts';
import { type ApiKey, isLive, toApiKey } from './keys.ts';
import { toScriptPath } from './sites/script-path.ts';
import type { Site, SiteStore } from './sites/sites.ts';

/**
 * Sites and keys in memory, for look-ups at every request.
 *
 * - Throws UnavailableError when it has to look at the ledger, and cannot.
 */
export interface Directory {
  /**
   * By id, by domain, in any case, or by the path of its script; a domain of other letters than
   * ASCII's in either form.
   */
  findSite(idOrDomain: string): Site | undefined;
  /** The key that a token is, unless it is revoked or expired. */
  findKey(token: string): ApiKey | undefined;
  /** Reads all again if any process has changed something. */
  refresh(): void;
  /** Which keys were used since this was asked last, and when. */
  takeKeyUses(): ReadonlyMap<string, number>;
}

type Snapshot = {
  readonly revision: number;
  readonly sites: ReadonlyMap<string, Site>;
  readonly keysBySha256: ReadonlyMap<string, ApiKey>;
  /** Tokens that were seen and are right: spares them their digest. */
  readonly keysByToken: Map<string, ApiKey>;
};

/**
 * The directory of a ledger, as of its last refresh.
 *
 * Why all of it in memory: sites and keys are few, and a request must not wait for a look-up. What
 * is unknown costs a checksum, a digest and a look at one number at most, whatever callers try.
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

  /** The revision is read first: a change in between is seen again, never missed. */
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

  function recognise(token: string): ApiKey | undefined {
    if (!isKey(token)) return undefined;
    const { sha256 } = fingerprintOf(token);
    const key = findAgain(() => snapshot.keysBySha256.get(sha256));
    if (key !== undefined) snapshot.keysByToken.set(token, key);
    return key;
  }

  function refresh(): void {
    try {
      if (Number(readRevision.get()?.value) !== snapshot.revision) snapshot = read();
    } catch (error) {
      throw new UnavailableError('Sites and keys cannot be read just now.', error);
    }
  }

  /** What is unknown may have been added a moment ago: nobody waits for the next refresh. */
  function findAgain<T>(find: () => T | undefined): T | undefined {
    const found = find();
    if (found !== undefined) return found;
    refresh();
    return find();
  }

  return {
    findSite: (idOrDomain) =>
      findAgain(
        () => snapshot.sites.get(idOrDomain) ?? snapshot.sites.get(idOrDomain.toLowerCase()),
      ),
    findKey(token) {
      const key = snapshot.keysByToken.get(token) ?? recognise(token);
      const at = now();
      if (key === undefined || !isLive(key, at)) return undefined;
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

/** People write a domain as it is read (`bücher.example`), browsers as it is sent (`xn--…`). */
function namesOf({ id, domain }: Site): string[] {
  const names = [domain, domainToUnicode(domain)];
  return [id, toScriptPath(id), ...names, ...names.map((name) => `www.${name}`)];
}
