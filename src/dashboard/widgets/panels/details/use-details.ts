import type { QueryAnswer } from '#contract/query.ts';
import { COST_DIMENSIONS, COST_METRICS } from '#contract/reports/catalog.ts';
import { SHARED_COLUMNS, sharedMetrics } from '#contract/sites/share.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { useTexts, type View } from '../../../address/address.ts';
import { useSite, type ViewedSite } from '../../../api/account.ts';
import {
  type Asked,
  QUERY_PATH,
  toCompare,
  toQuery,
  useAnswer,
  usePages,
} from '../../../api/query.ts';
import { PROPERTY_NAMES } from '../../../format/dimensions.ts';
import { METRIC_NAMES, type ShownMetric } from '../../../format/metrics.ts';
import { toSearch } from '../../../format/values.ts';
import { mayShowCosts } from '../../figures/card-metrics.ts';
import { withValue } from '../rows.ts';
import type { Tab } from '../tabs.ts';

const PAGE_ROWS = 50;

/** The dialog's state in the URL, and its setter. */
export type Search = {
  readonly text: string;
  readonly order: DetailsOrder;
  readonly columns: readonly ShownMetric[];
  readonly change: (change: { readonly search?: string; readonly order?: string }) => void;
  readonly close: () => void;
};

/** The dialog's search and sort order, both in the URL. */
export function useSearch(view: View, dimension: string): Search {
  const [params, set] = useTexts();
  const site = useSite();
  const hasCosts = COST_DIMENSIONS.includes(dimension) && mayShowCosts(site, view);
  const columns = columnsOf(site, hasCosts);
  return {
    text: params.get('search') ?? '',
    order: parseOrder(params.get('order') ?? '', columns),
    columns,
    change: (change) => set(change, { replace: true }),
    close: () => set({ panel: '', search: '', order: '' }),
  };
}

/** A query for all rows of a tab that match a text, with every metric. */
export function detailsOf(tab: Tab, dimension: string, { text, order, columns }: Search): Asked {
  return {
    metrics: [...columns],
    dimensions: [dimension],
    order_by: [
      [order.metric, order.direction],
      ...(order.metric === 'visitors' ? [] : [['visitors', 'desc'] as ['visitors', 'desc']]),
    ],
    filters: [
      ...withValue(dimension),
      ...(text === '' || dimension === PROPERTY_NAMES ? [] : [toSearch(dimension, text)]),
      ...(tab.kind === 'bots' ? [['is_not', 'visit:bot_class', ['(none)', 'Unattributed']]] : []),
    ],
  };
}

/** The rows of such a query, page by page. */
export function useRows(view: View, asked: Asked) {
  const site = useSite();
  const body = toQuery(site, view, { ...asked, include: { total_rows: true } });
  return usePages<QueryAnswer>(['all-rows', body], (cursor) => ({
    path: QUERY_PATH,
    body: { ...body, pagination: { limit: PAGE_ROWS, ...(cursor && { cursor }) } },
  }));
}

/** The figures of all rows together. Rows of goals and properties add up to nothing, and shared links show no others. */
export function useTotal(view: View, { metrics, dimensions, filters }: Asked) {
  const { shared } = useSite();
  const [dimension = ''] = dimensions ?? [];
  const adds = /^(visit:(?!bot)|event:page$)/.test(dimension) && shared === undefined;
  const asked = { metrics, ...(filters && { filters }), include: toCompare(view) };
  const answer = useAnswer(view, asked, adds);
  return adds ? answer.data?.results[0] : undefined;
}

type Rows = QueryAnswer['results'];

/** The compared metrics of rows, by their value: asked for once the rows are there, which so many metrics delay enough. */
export function useCompared(
  view: View,
  asked: Asked,
  rows: Rows = [],
): ReadonlyMap<string, Rows[number]['metrics']> {
  const { compare } = toCompare(view);
  const values = rows.flatMap(({ dimensions: [value = ''] }) =>
    value === UNATTRIBUTED ? [] : value,
  );
  const [dimension = ''] = asked.dimensions ?? [];
  const answer = useAnswer(
    view,
    {
      ...asked,
      filters: [...(asked.filters ?? []), ['is', dimension, values]],
      pagination: { limit: Math.max(values.length, 1) },
      include: { ...(compare && { compare }) },
    },
    compare !== undefined && values.length > 0 && dimension !== PROPERTY_NAMES,
  );
  const found = answer.isPlaceholderData ? [] : (answer.data?.results ?? []);
  return new Map(
    found.map(({ dimensions: [value = ''], comparison }) => [value, comparison?.metrics ?? []]),
  );
}

/** The metrics shown for a site: not all have money. */
function columnsOf(
  { shared, has_payments }: Pick<ViewedSite, 'shared' | 'has_payments'>,
  hasCosts: boolean,
): readonly ShownMetric[] {
  const shown = sharedMetrics(SHARED_COLUMNS, has_payments);
  const isAll = shared === undefined && has_payments;
  return METRIC_NAMES.filter((metric) =>
    COST_METRICS.includes(metric) ? hasCosts : isAll || shown.includes(metric),
  );
}

/** The dialog's sort order: `revenue` or `visitors,asc` in the URL. */
type DetailsOrder = { readonly metric: ShownMetric; readonly direction: 'asc' | 'desc' };

/** Parses the sort order from the URL; defaults to revenue first. */
export function parseOrder(text: string, columns = METRIC_NAMES): DetailsOrder {
  const [name, direction] = text.split(',');
  const metric = columns.find((each) => each === name);
  const main = columns.includes('revenue') ? 'revenue' : 'visitors';
  if (metric === undefined) return { metric: main, direction: 'desc' };
  return { metric, direction: direction === 'asc' ? 'asc' : 'desc' };
}

/** A row's metrics, without a time on page where no attention was reported: then there is no scroll depth either. */
export function withoutAttention<Value>(
  columns: readonly ShownMetric[],
  metrics: readonly (Value | number | null)[],
): readonly (Value | number | null)[] {
  const depth = columns.indexOf('scroll_depth');
  if (depth === -1 || metrics[depth] !== null) return metrics;
  return metrics.map((value, at) =>
    columns[at] === 'engagement_time' && value === 0 ? null : value,
  );
}

/** The rows with the unattributed one last, however they are sorted: it is not one of the compared. */
export function unattributedLast(results: QueryAnswer['results']): QueryAnswer['results'] {
  const isRest = ({ dimensions }: QueryAnswer['results'][number]) => dimensions[0] === UNATTRIBUTED;
  return [...results.filter((row) => !isRest(row)), ...results.filter(isRest)];
}

/** What counts visits, visitors or their events. */
const OF_VISITS: readonly ShownMetric[] = [
  ...(['visitors', 'visits', 'pageviews'] as const),
  ...(['new_visitors', 'events', 'conversions'] as const),
];

/** The metrics of the unattributed row, without counts of visits: its payments have none. */
export function withoutVisits<Value>(
  columns: readonly ShownMetric[],
  metrics: readonly Value[],
): readonly (Value | null)[] {
  return metrics.map((value, at) => {
    const column = columns[at];
    return column !== undefined && OF_VISITS.includes(column) ? null : value;
  });
}
