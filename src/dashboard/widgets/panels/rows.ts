import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import { NONE, UNATTRIBUTED } from '#domain/row-labels.ts';
import type { Asked } from '../../api/query.ts';
import { PROPERTY } from '../../format/dimensions.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { type Measure, measureOf, type PanelChoice } from './choice.ts';
import { PANELS } from './tabs.ts';

/** How many rows a panel shows. */
export const ROWS = 7;
/** A row stands out from this multiple of the site's revenue per visitor. */
const RICH_FROM = 1.5;

/** A row: its values, its bars relative to the largest, and whether it stands out. */
export type PanelRow = {
  readonly value: string;
  readonly metrics: readonly MetricValue[];
  /** The same in the compared period, if there is one. */
  readonly before?: readonly MetricValue[] | undefined;
  /** From 0 to 1, in column order. */
  readonly shares: readonly number[];
  readonly isRich: boolean;
};

/** Revenue not credited to any visit. */
export type Unattributed = { readonly revenue: MetricValue; readonly payments: number };

/** What a panel shows: its rows, and their total number. */
export type Rows = {
  readonly rows: readonly PanelRow[];
  readonly unattributed: (Unattributed & { readonly share: number }) | undefined;
  readonly total: number;
};

/** The unattributed payments in an answer with `revenue` and `payments`; undefined if there are none. */
export function findUnattributed(
  {
    query,
    results,
  }: Pick<QueryAnswer, 'results'> & { readonly query: Pick<QueryAnswer['query'], 'metrics'> },
  currency: string,
): Unattributed | undefined {
  const row = results.find(({ dimensions }) => dimensions[0] === UNATTRIBUTED);
  const find = (metric: ShownMetric) => row?.metrics[query.metrics.indexOf(metric)] ?? null;
  const payments = toNumber(find('payments'));
  if (payments === 0) return undefined;
  return { revenue: find('revenue') ?? { value: '0', currency }, payments };
}

/** The first rows of an answer; the unattributed row is separate and counts as the last. */
export function toRows(
  answer: Pick<QueryAnswer, 'results' | 'meta'>,
  measure: Measure,
  average: number | undefined,
  unattributed: Unattributed | undefined,
): Rows {
  const named = answer.results.filter(({ dimensions }) => dimensions[0] !== UNATTRIBUTED);
  const shown = named.slice(0, unattributed === undefined ? ROWS : ROWS - 1);
  const largest = measure.metrics.map((_, at) =>
    Math.max(
      ...shown.map(({ metrics }) => toNumber(metrics[at] ?? null)),
      measure.metrics[at] === 'revenue' && unattributed ? toNumber(unattributed.revenue) : 0,
    ),
  );
  const richAt = measure.metrics.indexOf('revenue_per_visitor');
  const isOver = named.length < answer.results.length;
  const all = answer.meta.total_rows ?? answer.results.length;
  // Whenever there are unattributed payments, the count includes their row.
  const others = isOver || unattributed !== undefined ? all - 1 : all;
  return {
    rows: shown.map(({ dimensions, metrics, comparison }) => ({
      value: dimensions[0] ?? '',
      metrics,
      before: comparison?.metrics,
      shares: metrics.map((value, at) => shareOf(toNumber(value), largest[at] ?? 0)),
      isRich:
        average !== undefined &&
        average > 0 &&
        richAt >= 0 &&
        toNumber(metrics[richAt] ?? null) >= average * RICH_FROM,
    })),
    unattributed: unattributed && {
      ...unattributed,
      share: shareOf(
        toNumber(unattributed.revenue),
        largest[measure.metrics.indexOf('revenue')] ?? 0,
      ),
    },
    total: Math.max(others, shown.length) + (unattributed === undefined ? 0 : 1),
  };
}

/** The actual sort metric: the first, visitors in most panels, if the chosen one is zero everywhere. */
export function shownSort(rows: Rows, measure: Measure, sort: string): string {
  const at = measure.metrics.indexOf(sort as ShownMetric);
  const isNothing = rows.rows.every(({ metrics }) => toNumber(metrics[at] ?? null) === 0);
  return isNothing && at > 0 && rows.rows.length > 0 ? measure.metrics[0] : sort;
}

function shareOf(value: number, largest: number): number {
  return largest > 0 ? Math.max(0, Math.min(1, value / largest)) : 0;
}

/** A panel's order and columns. */
type Sorted = Pick<PanelChoice, 'measure' | 'sort' | 'direction'>;

/** A panel's query; ties are sorted by its first column, visitors in most. */
export function toAsked({ measure, sort, direction }: Sorted, dimension: string): Asked {
  const { metrics } = measureOf(measure);
  const [first] = metrics;
  const order: [string, 'asc' | 'desc'][] = [[sort, direction]];
  if (sort !== first) order.push([first, 'desc']);
  const filters = withValue(dimension);
  return {
    metrics: [...metrics],
    dimensions: [dimension],
    order_by: order,
    ...(filters.length > 0 && { filters }),
  };
}

/** The filter for events that have a property: those without would dwarf its values. */
export function withValue(dimension: string): unknown[][] {
  return dimension.startsWith(PROPERTY) ? [['is_not', dimension, [NONE]]] : [];
}

/** The query for a panel's first rows and their number. */
export function toFirstRows(asked: Asked): Asked {
  return { ...asked, pagination: { limit: ROWS + 1 }, include: { total_rows: true } };
}

/** How panels are sorted unless somebody sorts them. */
const BY_REVENUE: Sorted = { measure: 'revenue', sort: 'revenue', direction: 'desc' };

/** The dimensions of visits that panels show unless another tab is chosen. */
const OF_FIRST_TABS = PANELS.map(({ tabs: [first] }) => first)
  .filter(({ kind, dimension }) => kind === 'rows' && dimension.startsWith('visit:'))
  .map(({ dimension }) => dimension);

/**
 * The query for the rows of all panels in {@link OF_FIRST_TABS}, with the payments that tell how many are
 * unattributed.
 *
 * Why one: the credit for payments is most of the work, and the same for each of them.
 */
export const FIRST_TABS: Asked = {
  ...toAsked(BY_REVENUE, ''),
  metrics: [...measureOf('revenue').metrics, 'payments'],
  dimensions: OF_FIRST_TABS,
  separately: true,
};

/** Whether a panel's rows are among those of {@link FIRST_TABS}. */
export function isOfFirstTabs(choice: Sorted, dimension: string): boolean {
  const { measure, sort, direction } = BY_REVENUE;
  const isSorted = choice.sort === sort && choice.direction === direction;
  return choice.measure === measure && isSorted && OF_FIRST_TABS.includes(dimension);
}

/** The answer to {@link FIRST_TABS} as if it had one of its dimensions. */
export function onlyOf(dimension: string, { results, meta, query }: QueryAnswer): QueryAnswer {
  const own = results.filter((row) => row.dimensions[0] === dimension);
  return {
    results: own.map((row) => ({ ...row, dimensions: row.dimensions.slice(1) })),
    meta: { ...meta, total_rows: own.length },
    query,
  };
}
