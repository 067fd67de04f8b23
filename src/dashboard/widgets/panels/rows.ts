import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import type { Measure } from './choice.ts';

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
