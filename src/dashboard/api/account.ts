import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { request } from './api.ts';

/** A site as the signed-in user sees it. */
export type Site = {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  /** Whether there is money to show: a payment was reported, and a shared link shows revenue. */
  readonly has_payments: boolean;
  readonly role: 'owner' | 'admin' | 'viewer';
  /** What a shared link shows of it; undefined for signed-in users. */
  readonly shared?: Shared;
};

/** What people call a site. */
export function titleOf({ name, domain }: Pick<Site, 'name' | 'domain'>): string {
  return name === '' ? domain : name;
}

/** What a shared link shows of a site. */
export type Shared = { readonly panels: readonly string[] };

/** The current user. */
export type Me = {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly is_owner: boolean;
    readonly two_factor: boolean;
  };
  readonly sites: readonly Site[];
  /** A new address that waits for the link sent there to be opened. */
  readonly pending_email: string | null;
};

const FIRST_PAYMENT_MS = 60_000;

/** The current user and their sites. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => request<Me>('/api/v1/me', { signal }),
    // The first payment of a site shows its money.
    refetchInterval: ({ state }) =>
      state.data?.sites.some((site) => !site.has_payments) === true && FIRST_PAYMENT_MS,
  });
}

/** The page's site. */
export const SiteContext = createContext<Site | undefined>(undefined);

/** The page's site. Throws outside one: a bug. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('this part of the page belongs to no site');
  return site;
}
