import type { QueryAnswer } from '#contract/query.ts';
import { COST_DIMENSIONS } from '#contract/reports/catalog.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { useTexts, type View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import {
  type Asked,
  QUERY_PATH,
  toCompare,
  toQuery,
  useAnswer,
  usePages,
} from '../../../api/query.ts';
import { PROPERTY_NAMES } from '../../../format/dimensions.ts';
import type { ShownMetric } from '../../../format/metrics.ts';
import { toSearch } from '../../../format/values.ts';
import { mayShowCosts } from '../../figures/card-metrics.ts';
import { withValue } from '../rows.ts';
import type { Tab } from '../tabs.ts';
import { columnsOf, type DetailsOrder, parseOrder } from './columns.ts';

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
