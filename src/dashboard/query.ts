import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Query, QueryAnswer } from '#contract/query.ts';
import { useSite } from './account.ts';
import type { Filter, View } from './address.ts';
import { request } from './api.ts';

/** How often what is on the screen is asked for again. */
const REFRESH_MS = 60_000;

/** A query without what the view says anyway. */
export type Asked = Omit<Query, 'site_id' | 'date_range' | 'filters' | 'timezone'> & {
  readonly filters?: Query['filters'];
};

/** What a query of the page's site answers, under the view's period, filters and attribution. */
export function useAnswer(view: View, asked: Asked, isEnabled = true): UseQueryResult<QueryAnswer> {
  const site = useSite();
  const body = toQuery(site.domain, view, asked);
  return useReport<QueryAnswer>('/api/v1/query', body, isEnabled);
}

/** What several queries of the page's site answer together, so that their numbers fit each other. */
export function useAnswers(view: View, asked: readonly Asked[]): UseQueryResult<QueryAnswer[]> {
  const site = useSite();
  const bodies = asked.map((each) => toQuery(site.domain, view, each));
  const path = '/api/v1/query';
  return useQuery({
    queryKey: [site.id, path, bodies],
    queryFn: ({ signal }) =>
      Promise.all(
        bodies.map((body) => request<QueryAnswer>(path, { site: site.id, body, signal })),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** What a report of the page's site answers; the answer before stays until another one is there. */
export function useReport<Answer>(
  path: string,
  body: object,
  isEnabled = true,
): UseQueryResult<Answer> {
  const site = useSite();
  return useQuery({
    queryKey: [site.id, path, body],
    queryFn: ({ signal }) => request<Answer>(path, { site: site.id, body, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    enabled: isEnabled,
  });
}

/** A query's body: what is asked, under the period, filters and attribution of the view. */
export function toQuery(domain: string, view: View, asked: Asked): Query {
  const { attribution, include, filters = [], ...more } = asked;
  return {
    ...more,
    site_id: domain,
    date_range: toDateRange(view),
    filters: [...toFilters(view.filters), ...filters],
    attribution: { ...toAttribution(view), ...attribution },
    include: { ...include },
  } as Query;
}

/** The view's period in the query API's words. */
export function toDateRange({ period, from, to }: View): Query['date_range'] {
  return period === 'custom' ? [from, to] : period;
}

/** The view's model and lookback window. */
export function toAttribution({ model, window }: View): {
  model: string;
  lookback_days: number | null;
} {
  const days = Number(window);
  return { model, lookback_days: Number.isInteger(days) && days > 0 ? days : null };
}

/** What the view compares with, for `include`; nothing when it compares with nothing. */
export function toCompare({
  compare,
  period,
}: View): Pick<NonNullable<Query['include']>, 'compare'> {
  if (compare === 'off' || period === 'all') return {};
  if (compare === 'year') return { compare: 'year_over_year' };
  const [from, to] = compare.split('..');
  return from !== undefined && to !== undefined
    ? { compare: [from, to] }
    : { compare: 'previous_period' };
}

/** Filters in the query API's form. */
export function toFilters(filters: readonly Filter[]): unknown[][] {
  return filters.map(({ operator, dimension, values }) =>
    operator === 'has_done' || operator === 'has_not_done'
      ? [operator, ['is', dimension, [...values]]]
      : [operator, dimension, [...values]],
  );
}
