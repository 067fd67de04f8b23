import type { SavedFunnelsAnswer } from '#contract/sites/saved.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { type FunnelView, isSameFunnel, toFunnel } from './steps.ts';

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
