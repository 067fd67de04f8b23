import { useCallback, useMemo } from 'react';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import { readable, useParams, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { toDateRange, toFilters, useReport } from '../../api/query.ts';
import { toWithin } from '../funnel/steps.ts';
import { type Journey, parseJourney, writeJourney } from './journey.ts';

/** How many steps are shown at once, and how many branches at each. */
const DEPTH = 3;
const BREADTH = 5;

/** The journey in the page's URL, how to change it, and how to link to another. */
export function useJourney() {
  const [params, setParams] = useParams();
  const { domain } = useSite();
  const journey = useMemo(() => parseJourney(params), [params]);
  const change = useCallback(
    (changed: Partial<Journey>) =>
      setParams((now) => writeJourney({ ...parseJourney(now), ...changed }, now)),
    [setParams],
  );
  const hrefOf = (changed: Partial<Journey>) => {
    const text = readable(writeJourney({ ...journey, ...changed }, params));
    return `/${domain}/journeys${text === '' ? '' : `?${text}`}`;
  };
  return { journey, change, hrefOf };
}

/** Drops payment filters, as payments have no paths. */
export function withoutPayments(view: View): View {
  const filters = view.filters.filter(({ dimension }) => !dimension.startsWith('payment:'));
  return { ...view, filters };
}

/** The paths visitors took. */
export function useJourneysAnswer(view: View, { from, after, within }: Journey) {
  const site = useSite();
  return useReport<JourneysAnswer>('/api/v1/query/journeys', {
    site_id: site.domain,
    date_range: toDateRange(view, site.timezone),
    filters: toFilters(withoutPayments(view).filters),
    from: from ?? { type: 'visit' },
    after,
    within: toWithin(within),
    depth: DEPTH,
    breadth: BREADTH,
  });
}
