import {
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import type { View } from '../address/address.ts';
import { daysOf, monthsBefore } from '../address/periods.ts';
import { todayIn } from '../format/dates.ts';
import type { ViewFilter } from '../format/dimensions.ts';
import { useSite, type ViewedSite } from './account.ts';
import { REFRESH_MS, refreshAfter, request } from './api.ts';

/** Answers of this path are cached under the site's id, this path and the query. */
export const QUERY_PATH = '/api/v1/query';
/** Figures of an earlier visit, unlike those between two refreshes. */
const OLD_MS = 5 * REFRESH_MS;

/** A query without what the view specifies. */
export type Asked = Omit<SentQuery, 'site_id' | 'date_range' | 'filters' | 'timezone'> & {
  readonly filters?: SentQuery['filters'];
};

/** Whether newer figures are on their way: another view's are shown until then, or those of an earlier visit. */
export function isOld({
  isPlaceholderData,
  isFetching,
  dataUpdatedAt,
}: Pick<UseQueryResult, 'isPlaceholderData' | 'isFetching' | 'dataUpdatedAt'>): boolean {
  const isOfEarlierVisit = dataUpdatedAt > 0 && dataUpdatedAt < Date.now() - OLD_MS;
  return isPlaceholderData || (isFetching && isOfEarlierVisit);
}

/** The answer to a query of the page's site under the view's period, filters and attribution. */
export function useAnswer(view: View, asked: Asked, isEnabled = true): UseQueryResult<QueryAnswer> {
  const site = useSite();
  const body = toQuery(site, view, asked);
  const path = site.combined === undefined ? QUERY_PATH : `${QUERY_PATH}/sites`;
  return useAnswerTo(path, toCombined(site, body) ?? body, isEnabled);
}

/** The query over the sites that the page shows as one; undefined elsewhere. */
function toCombined(
  { combined, currency }: ViewedSite,
  { metrics, date_range, dimensions, filters, attribution, include, pagination }: SentQuery,
) {
  if (combined === undefined) return undefined;
  return {
    ...{ site_ids: combined, currency, metrics, date_range, dimensions, filters },
    ...{ attribution, include, limit: pagination?.limit },
  };
}

/** A query and the rows that answered it. */
export type Answered = {
  readonly asked: Pick<SentQuery, 'dimensions' | 'separately'>;
  readonly results: readonly Pick<QueryAnswer['results'][number], 'dimensions'>[];
};

/** The loaded answers to single queries of the page's site. */
export function useLoadedAnswers(): Answered[] {
  const site = useSite();
  const loaded = useQueryClient().getQueriesData<QueryAnswer>({ queryKey: [site.id, QUERY_PATH] });
  return loaded.flatMap(([[, , asked], answer]) =>
    answer === undefined ? [] : [{ asked: asked as SentQuery, results: answer.results }],
  );
}

/** What every report asks: the page's site under the view's period and filters. */
export function useReportBody(view: View) {
  const { domain, timezone } = useSite();
  const date_range = toDateRange(view, timezone);
  return { site_id: domain, date_range, filters: toFilters(view.filters) };
}

/** The answer to a report under the view's period and filters, unless the body has others: `funnel`. */
export function useReport<Answer>(name: string, view: View, more: object = {}, isEnabled = true) {
  const body = { ...useReportBody(view), ...more };
  return useAnswerTo<Answer>(`${QUERY_PATH}/${name}`, body, isEnabled);
}

/** The previous answer stays until the next arrives. */
function useAnswerTo<Answer>(path: string, body: object, isEnabled: boolean) {
  const site = useSite();
  return useQuery<Answer>({
    queryKey: [site.id, path, body],
    queryFn: ({ signal }) => request<Answer>(path, { site: site.id, body, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshAfter,
    enabled: isEnabled,
  });
}

type Page = { readonly meta: { readonly next_cursor?: string | undefined } };

/** What a page of a list is asked by; its cursor is empty for the first. */
type ToPage = (cursor: string) => { readonly path: string; readonly body?: object };

/** The pages of a list of the page's site. Those before stay until others arrive. */
export function usePages<Answer extends Page>(key: readonly unknown[], toPage: ToPage) {
  const site = useSite();
  return useInfiniteQuery({
    queryKey: [site.id, ...key],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => {
      const { path, body } = toPage(pageParam);
      return request<Answer>(path, { site: site.id, body, signal });
    },
    getNextPageParam: ({ meta }) => meta.next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** A query's body: what is asked, under the view's period, filters and attribution. */
export function toQuery(site: Pick<ViewedSite, 'domain' | 'timezone'>, view: View, asked: Asked) {
  const { attribution, include, filters = [], ...more } = asked;
  const { model, ...window } = toAttribution(view);
  return {
    ...more,
    site_id: site.domain,
    date_range: toDateRange(view, site.timezone),
    filters: [...toFilters(view.filters), ...filters],
    // Several models replace the view's model.
    attribution: { ...(attribution?.models === undefined && { model }), ...window, ...attribution },
    include: { ...include, ...comparedWith(include, view, site.timezone) },
  } as SentQuery;
}

/** Periods the query API has no keyword for, or that would extend into the future. */
const SENT_AS_DAYS: readonly string[] = ['custom', 'month', 'last_month', 'year'];

/** The view's period as an API keyword, or as days in the site's time zone. */
function toDateRange(view: View, timeZone: string): SentQuery['date_range'] {
  if (!SENT_AS_DAYS.includes(view.period)) return view.period;
  const days = daysOf(view, todayIn(timeZone));
  return days === undefined ? view.period : [...days];
}

/** The API compares with as many days before; people compare months with months. */
function comparedWith(include: Asked['include'], view: View, timezone: string) {
  if (include?.compare !== 'previous_period') return {};
  const days = monthsBefore(view, todayIn(timezone));
  return days === undefined ? {} : { compare: days };
}

/** The view's model and lookback window. */
export function toAttribution({ model, window }: Pick<View, 'model' | 'window'>): {
  model: string;
  lookback_days: number | null;
} {
  const days = Number(window);
  return { model, lookback_days: Number.isInteger(days) && days > 0 ? days : null };
}

/** The same as parameters of an address. */
export function toCredit(view: Pick<View, 'model' | 'window'>): URLSearchParams {
  const { model, lookback_days: days } = toAttribution(view);
  return new URLSearchParams({ model, ...(days !== null && { lookback_days: `${days}` }) });
}

/** The view's comparison, for `include`; empty when there is none. */
export function toCompare({ compare, period }: View): NonNullable<Asked['include']> {
  if (compare === 'off' || period === 'all') return {};
  if (compare === 'year') return { compare: 'same_weekdays' };
  const [from, to] = compare.split('..');
  return from !== undefined && to !== undefined
    ? { compare: [from, to] }
    : { compare: 'previous_period' };
}

/** Filters in the API's format. A part of a value is found in any case. */
export function toFilters(filters: readonly ViewFilter[]): unknown[][] {
  return filters.map(({ operator, dimension, values }) => {
    const isDone = operator === 'has_done' || operator === 'has_not_done';
    if (isDone) return [operator, ['is', dimension, [...values]]];
    const isPart = operator === 'contains' || operator === 'contains_not';
    return [operator, dimension, [...values], ...(isPart ? [{ case_sensitive: false }] : [])];
  });
}
