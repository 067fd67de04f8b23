import type { UserAccounts } from '../ports.ts';

/** The stores that hold something of a site. */
export type RemovalDeps = {
  readonly siteStore: { removeSite(id: string): Promise<unknown> };
  readonly accounts: Pick<UserAccounts, 'saved' | 'notices'>;
};

/** Removes a site with its keys, saved items and notices. Recorded data stays. */
export async function removeSite({ siteStore, accounts }: RemovalDeps, id: string): Promise<void> {
  await siteStore.removeSite(id);
  await accounts.saved.removeAll(id);
  await accounts.notices.removeAll(id);
}
