import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { MeAnswer } from '#contract/logins/me.ts';
import type { SharedAnswer } from '#contract/sites/shares.ts';
import { request } from './api.ts';

/** A site as the signed-in user sees it, or somebody with a shared link. */
export type ViewedSite = MeAnswer['sites'][number] & {
  /** What a shared link shows of it; undefined for signed-in users. */
  readonly shared?: Shared;
  /** The ids of the sites that it stands for: several, seen as one. */
  readonly combined?: readonly string[];
};

/** What people call a site. */
export function titleOf({ name, domain }: Pick<ViewedSite, 'name' | 'domain'>): string {
  return name === '' ? domain : name;
}

/** What a shared link shows of a site. */
export type Shared = Pick<SharedAnswer, 'panels'>;

const FIRST_PAYMENT_MS = 60_000;

/** The current user and their sites. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => request<MeAnswer>('/api/v1/me', { signal }),
    // The first payment of a site shows its money.
    refetchInterval: ({ state }) =>
      state.data?.sites.some((site) => !site.has_payments) === true && FIRST_PAYMENT_MS,
  });
}

/** The page's site. */
export const SiteContext = createContext<ViewedSite | undefined>(undefined);

/** The page's site. Throws outside one: a bug. */
export function useSite(): ViewedSite {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('this part of the page belongs to no site');
  return site;
}

/** Responses of `/api/v1/sites/{id}` and the paths below. */
export function useOfSite<Answer>(path = '', options: { readonly refetchInterval?: number } = {}) {
  const { id } = useSite();
  return useQuery({
    queryKey: [id, 'site', path],
    queryFn: ({ signal }) => request<Answer>(`/api/v1/sites/${id}${path}`, { signal }),
    ...options,
  });
}

/** Changes something below `/api/v1/sites/{id}` and refetches what is shown of it. */
export function useChangeOfSite<Answer = unknown>() {
  const { id } = useSite();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: {
      readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly path?: string;
      readonly body?: unknown;
    }) => {
      const { method, path = '', body } = change;
      return request<Answer>(`/api/v1/sites/${id}${path}`, { method, body });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [id, 'site'] });
      await client.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
