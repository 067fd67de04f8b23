import { useCallback, useMemo } from 'react';
import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import { useParams, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { toDateRange, toFilters, useReport } from '../../api/query.ts';
import { type FunnelView, parseFunnel, toWithin, writeFunnel } from './steps.ts';

/** Changes the funnel and thus the URL. */
export type ChangeFunnel = (change: Partial<FunnelView>) => void;

/** The funnel in the page's URL, and how to change it. */
export function useFunnel(): readonly [FunnelView, ChangeFunnel] {
  const [params, setParams] = useParams();
  const funnel = useMemo(() => parseFunnel(params), [params]);
  const change = useCallback<ChangeFunnel>(
    (changed) => setParams((now) => writeFunnel({ ...parseFunnel(now), ...changed }, now)),
    [setParams],
  );
  return [funnel, change];
}

/** The funnel's results, broken down by dimensions if any are given. */
export function useFunnelAnswer(
  view: View,
  funnel: FunnelView,
  { dimensions = [], limit = 1 }: { readonly dimensions?: string[]; readonly limit?: number } = {},
) {
  const site = useSite();
  const body = {
    site_id: site.domain,
    date_range: toDateRange(view, site.timezone),
    filters: toFilters(view.filters),
    steps: funnel.steps,
    within: toWithin(funnel.within),
    dimensions,
    limit,
  };
  return useReport<FunnelAnswer>('/api/v1/query/funnel', body, funnel.steps.length >= 2);
}
