import { PROGRAM } from '#contract/program.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { readSettings } from '#settings.ts';

/**
 * Runs `work` with the ledger of `DATA_DIR`, and closes the ledger afterwards.
 *
 * Why not through the server: commands must work whether or not it runs. A running server sees
 * their changes within a second.
 */
export async function withLedger<T>(work: (ledger: Ledger) => T | Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = readSettings();
  if (databaseUrl === undefined) assertDataDir(dataDir);
  const ledger = await openLedger({ location: dataPathsOf(dataDir, databaseUrl).ledger });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/**
 * Finds a site by id or domain; with `removed`, also a removed site by id. Throws a message for the
 * caller if there is none.
 */
export async function findSiteOrThrow(
  ledger: Ledger,
  idOrDomain: string,
  options: { readonly removed?: boolean } = {},
) {
  const site = ledger.findSite(idOrDomain);
  if (site !== undefined) return site;
  const removed = (await ledger.listRemovedSites()).find(
    ({ id }) => options.removed && id === idOrDomain,
  );
  if (removed !== undefined) return removed;
  const known = (await ledger.listSites()).map(({ domain }) => domain);
  throw new Error(
    known.length === 0
      ? `There is no site ${idOrDomain}; add it with "${PROGRAM} site add ${idOrDomain}".`
      : `There is no site ${idOrDomain}. Known sites: ${known.join(', ')}.`,
  );
}
