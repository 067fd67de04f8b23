import { DEFAULT_SCOPES, type KeyScope } from '#domain/site/scope.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';

/** A site's options besides its domain; settings as `tributary site set` takes them. */
export type SiteChoices = {
  readonly timezone?: string;
  readonly currency?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * Adds a site to a server's data like `tributary site add`, and returns its id.
 *
 * - Why not by the command: its process costs more than most tests. The commands have their own tests.
 */
export function addSite(
  dataDir: string,
  domain: string,
  { timezone = 'UTC', currency = 'USD', settings = {} }: SiteChoices = {},
): Promise<string> {
  return withLedgerOf(dataDir, async (ledger) => {
    const added = await ledger.addSite({ domain, timezone, currency });
    const site = added.ok ? await ledger.setSite(added.value.id, settings) : added;
    if (!site.ok) throw new Error(site.error.message);
    return site.value.id;
  });
}

/** Makes a site's key like `tributary key create`: by default, with the default scopes. */
export function createKey(
  dataDir: string,
  domain: string,
  scopes: readonly KeyScope[] = DEFAULT_SCOPES,
): Promise<string> {
  return withLedgerOf(dataDir, async (ledger) => {
    const siteId = ledger.findSite(domain)?.id;
    if (siteId === undefined) throw new Error(`there is no site ${domain}`);
    return (await ledger.createKey({ siteId, name: '', scopes, expiresAt: undefined })).key;
  });
}

/** Returns the result of `work` with a server's ledger, opened as by a command. */
export async function withLedgerOf<T>(
  dataDir: string,
  work: (ledger: Ledger) => T | Promise<T>,
): Promise<T> {
  const ledger = await openLedger({ location: dataPathsOf(dataDir).ledger });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
