import type { QueryAnswer } from '#contract/query.ts';
import { COST_METRICS } from '#contract/reports/catalog.ts';
import { SHARED_COLUMNS, sharedMetrics } from '#contract/sites/share.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import type { ViewedSite } from '../../../api/account.ts';
import { METRIC_NAMES, type ShownMetric } from '../../../format/metrics.ts';

/** The metrics shown for a site: not all have money. */
export function columnsOf(
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
export type DetailsOrder = { readonly metric: ShownMetric; readonly direction: 'asc' | 'desc' };

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
