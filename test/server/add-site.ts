import { SCOPES, type Scope } from '#contract/scope.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';

/** What a site has beside its domain; settings as `tributary site set` takes them. */
export type SiteChoices = {
  readonly timezone?: string;
  readonly currency?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * Adds a site to the data of a server as `tributary site add` does, and answers its id.
 *
 * - Why not by the command: its process costs more than most tests do. The commands have tests of
 *   their own.
 */
export function addSite(
  dataDir: string,
  domain: string,
  { timezone = 'UTC', currency = 'USD', settings = {} }: SiteChoices = {},
): Promise<string> {
  return withLedgerOf(dataDir, (ledger) => {
    const added = ledger.addSite({ domain, timezone, currency });
    const site = added.ok ? ledger.setSite(added.value.id, settings) : added;
    if (!site.ok) throw new Error(site.error);
    return site.value.id;
  });
}

/** Makes a key of a site as `tributary key create` does: all but what cannot be undone by default. */
export function createKey(
  dataDir: string,
  domain: string,
  scopes: readonly Scope[] = SCOPES.filter((scope) => scope !== 'visitors:delete'),
): Promise<string> {
  return withLedgerOf(dataDir, (ledger) => {
    const siteId = ledger.findSite(domain)?.id;
    if (siteId === undefined) throw new Error(`there is no site ${domain}`);
    return ledger.createKey({ siteId, name: '', scopes, expiresAt: undefined }).key;
  });
}

/** What `work` answers with the ledger of a server's data, as a command opens it. */
export async function withLedgerOf<T>(dataDir: string, work: (ledger: Ledger) => T): Promise<T> {
  const ledger = openLedger({ path: dataPathsOf(dataDir).ledger });
  try {
    return work(ledger);
  } finally {
    await ledger.close();
  }
}
