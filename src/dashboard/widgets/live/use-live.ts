import { useQuery } from '@tanstack/react-query';
import type { LiveAnswer } from '#contract/live.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';

/** As many countries as the API returns; the lists of the page show the top ones. */
const PATH = '/api/v1/live?limit=100';

/**
 * Who is on the site now.
 *
 * - Why one answer for the head and the page: two would show different numbers on one screen.
 */
export function useLive(refreshMs: number) {
  const site = useSite();
  return useQuery({
    queryKey: [site.id, 'live'],
    queryFn: ({ signal }) => request<LiveAnswer>(PATH, { site: site.id, signal }),
    refetchInterval: refreshMs,
  });
}
