import type { ProvidersAnswer } from '#contract/sites/providers.ts';
import { useSite } from '../../api/account.ts';
import { useOfSite } from '../../api/site-settings.ts';

/** A provider that can be connected. */
export type KnownProvider = ProvidersAnswer['providers'][number];
/** A connection, with what came of its events. */
export type ShownConnection = ProvidersAnswer['connections'][number];

/** One connection, with the provider that it is to. */
export type ConnectionProps = {
  readonly connection: ShownConnection;
  readonly provider: KnownProvider;
};

/** How often a page that waits for events looks for them. */
export const WAITING_MS = 3_000;
const LOOK_AGAIN_MS = 15_000;

/** The providers that can be connected, and the site's connections. */
export function useProviders(everyMs = LOOK_AGAIN_MS) {
  return useOfSite<ProvidersAnswer>('/providers', { refetchInterval: everyMs });
}

/** The address of the page of a connection, of the choice of one (`new`), or of all. */
export function useProvidersPath() {
  const { domain } = useSite();
  return (item = '') => `/${domain}/settings/providers${item === '' ? '' : `/${item}`}`;
}
