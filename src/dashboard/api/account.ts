import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { LiveAnswer } from '#contract/live.ts';
import type { MeAnswer } from '#contract/logins/me.ts';
import type { SharedAnswer } from '#contract/sites/shares.ts';
import { todayIn } from '../format/dates.ts';
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

type GetOptions<Answer> = Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> & {
  /** The id of the site that it is about. */
  readonly site?: string;
};

/** The answer of a path of the API, which is cached under the site's id, if it is about one, and the path. */
export function useGet<Answer>(path: string, { site, ...options }: GetOptions<Answer> = {}) {
  return useQuery({
    queryKey: site === undefined ? [path] : [site, path],
    queryFn: ({ signal }) => request<Answer>(path, { site, signal }),
    ...options,
  });
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

/** Sites in the form of one, in the given currency or the commonest. Its day is that of the site where it is latest. */
export function toOne(sites: readonly ViewedSite[], wanted: string | null = null): ViewedSite {
  const paid = sites.filter((site) => site.has_payments);
  const codes = (paid.length > 0 ? paid : sites).map((site) => site.currency);
  const currency = wanted ?? commonest(codes);
  const zones = sites.map(({ timezone }) => timezone);
  const [timezone = 'UTC'] = zones.toSorted((a, b) => todayIn(b).localeCompare(todayIn(a)));
  return {
    ...{ id: 'several', domain: 'sites', name: 'Several sites', role: 'viewer', timezone },
    ...{ currency, has_payments: paid.length > 0, has_costs: false },
    combined: sites.map(({ id }) => id),
  };
}

function commonest(values: readonly string[]): string {
  const countOf = (value: string) => values.filter((each) => each === value).length;
  const [most = 'EUR'] = values.toSorted((one, other) => countOf(other) - countOf(one));
  return most;
}

/** As many countries as the API returns; the lists of the page show the top ones. */
const LIVE_PATH = '/api/v1/live?limit=100';

/**
 * Who is on the site now.
 *
 * - Why one answer for the head and the page: two would show different numbers on one screen.
 */
export function useLive(refetchInterval: number) {
  return useGet<LiveAnswer>(LIVE_PATH, { site: useSite().id, refetchInterval });
}
