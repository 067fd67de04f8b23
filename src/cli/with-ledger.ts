import { existsSync } from 'node:fs';
import { type LedgerCounts, openLedgerCounts } from '#ledger/open-counts.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { readSettings } from '#settings.ts';

/**
 * What `work` answers with the ledger of `DATA_DIR`, which is open that long.
 *
 * Why the file and not the server: commands work while it runs and while it does not, and the
 * server sees their changes within a second.
 */
export async function withLedger<T>(work: (ledger: Ledger) => T | Promise<T>): Promise<T> {
  const ledger = openLedger({ path: dataPathsOf(readSettings().dataDir).ledger });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** The site of an id or a domain, or of the id of a removed one where these count. Throws with a line for the caller when there is none. */
export function findSiteOrThrow(
  ledger: Ledger,
  idOrDomain: string,
  options: { readonly removed?: boolean } = {},
) {
  const site = ledger.findSite(idOrDomain);
  if (site !== undefined) return site;
  const removed = ledger.listRemovedSites().find(({ id }) => options.removed && id === idOrDomain);
  if (removed !== undefined) return removed;
  const known = ledger.listSites().map(({ domain }) => domain);
  throw new Error(
    known.length === 0
      ? `There is no site ${idOrDomain}; add it with "npm run tributary -- site add ${idOrDomain}".`
      : `There is no site ${idOrDomain}; there are ${known.join(', ')}.`,
  );
}

/**
 * What `work` makes of a ledger that is only read, also while a server runs; `undefined` where there
 * is none.
 */
export async function withLedgerCounts<T>(
  path: string,
  work: (ledger: LedgerCounts) => T | Promise<T>,
): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  const ledger = openLedgerCounts(path);
  try {
    return await work(ledger);
  } finally {
    ledger.close();
  }
}
