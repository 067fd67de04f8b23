import type { SavedFunnel } from '#contract/sites/saved.ts';
import { useOfSite } from '../../site-settings.ts';
import { type Funnel, isSameFunnel, toFunnel } from './steps.ts';

/** The funnels saved for the site. */
export function useSavedFunnels() {
  return useOfSite<{ readonly funnels: readonly SavedFunnel[] }>('/funnels');
}

/** The saved funnel that has the very steps and the window of one on the page. */
export function useNameOfFunnel(funnel: Funnel): string | undefined {
  return useSavedFunnels().data?.funnels.find((saved) => {
    const own = toFunnel(saved);
    return own !== undefined && isSameFunnel(own, funnel);
  })?.name;
}
