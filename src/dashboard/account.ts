import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { request } from './api.ts';

/** A site as the person who is signed in sees it. */
export type Site = {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly role: 'owner' | 'admin' | 'viewer';
  /** What a shared link shows of it; everything where somebody is signed in. */
  readonly shared?: Shared;
};

/** What a shared link shows of a site. */
export type Shared = {
  readonly panels: readonly string[];
  /** Whether it shows money. */
  readonly revenue: boolean;
};

/** Who is signed in. */
export type Me = {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly is_owner: boolean;
    readonly two_factor: boolean;
  };
  readonly sites: readonly Site[];
};

/** Who is signed in, and their sites. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => request<Me>('/api/v1/me', { signal }),
  });
}

/** The site of the page. */
export const SiteContext = createContext<Site | undefined>(undefined);

/** The site of the page. Throws outside of one: a bug. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('this part of the page belongs to no site');
  return site;
}
