import { SHARED_COLUMNS, sharedMetrics } from '#contract/sites/share.ts';
import type { Site } from '../../../account.ts';
import { METRIC_FORMS, type MetricName } from '../../../format/metrics.ts';

/** Every metric, the ones people look at first in front. */
export const COLUMNS = Object.keys(METRIC_FORMS) as readonly MetricName[];

/** Those of {@link COLUMNS} that are shown of a site: a shared link may leave money out. */
export function columnsOf({ shared }: Pick<Site, 'shared'>): readonly MetricName[] {
  if (shared === undefined) return COLUMNS;
  const shown = sharedMetrics(SHARED_COLUMNS, shared.revenue);
  return COLUMNS.filter((metric) => shown.includes(metric));
}

/** How the rows of the dialog are sorted: `revenue` or `visitors,asc` in the address. */
export type Order = { readonly metric: MetricName; readonly direction: 'asc' | 'desc' };

/** What the address says of the order; revenue first where it says nothing known. */
export function parseOrder(text: string, columns = COLUMNS): Order {
  const [name, direction] = text.split(',');
  const metric = columns.find((each) => each === name);
  const main = columns.includes('revenue') ? 'revenue' : 'visitors';
  if (metric === undefined) return { metric: main, direction: 'desc' };
  return { metric, direction: direction === 'asc' ? 'asc' : 'desc' };
}

/** The text for the address after a click on a column's head. */
export function orderBy(order: Order, metric: MetricName): string {
  const isAgain = order.metric === metric && order.direction === 'desc';
  return isAgain ? `${metric},asc` : metric;
}
