import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { SavedFunnelsAnswer } from '#contract/sites/saved.ts';
import { usePart, useView, type View } from '../../address/address.ts';
import { useOfSite } from '../../api/account.ts';
import { useAnswer, useReport } from '../../api/query.ts';
import { toSearch } from '../../format/values.ts';
import {
  type FunnelView,
  isSameFunnel,
  parseFunnel,
  toFunnel,
  toWithin,
  writeFunnel,
} from './steps.ts';

/** Changes the funnel and thus the URL. */
export type ChangeFunnel = (change: Partial<FunnelView>) => void;

/** The funnel in the page's URL, and how to change it. */
export function useFunnel(): readonly [FunnelView, ChangeFunnel] {
  return usePart(parseFunnel, writeFunnel);
}

/** The funnel's results, broken down by dimensions if any are given. */
export function useFunnelAnswer(
  view: View,
  funnel: FunnelView,
  { dimensions = [], limit = 1 }: { readonly dimensions?: string[]; readonly limit?: number } = {},
) {
  const { steps } = funnel;
  const asked = { steps, within: toWithin(funnel.within), dimensions, limit };
  return useReport<FunnelAnswer>('funnel', view, asked, steps.length >= 2);
}

/** The site's saved funnels. */
export function useSavedFunnels() {
  return useOfSite<SavedFunnelsAnswer>('/funnels');
}

/** The name of the saved funnel with the page's steps and window. */
export function useNameOfFunnel(funnel: FunnelView): string | undefined {
  return useSavedFunnels().data?.funnels.find((saved) => {
    const own = toFunnel(saved);
    return own !== undefined && isSameFunnel(own, funnel);
  })?.name;
}

/** The values of a dimension with the most visitors in the period, ignoring the filters. */
export function useValues(dimension: string, text: string, limit: number) {
  const [view] = useView();
  const answer = useAnswer(
    { ...view, filters: [] },
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      pagination: { limit },
      ...(text !== '' && { filters: [toSearch(dimension, text)] }),
    },
  );
  const values = answer.data?.results.map(({ dimensions: [value = ''] }) => value);
  return { values, error: answer.error };
}
