import { METRIC_FORMS, type MetricName } from '../../../format/metrics.ts';

/** Every metric, the ones people look at first in front. */
export const COLUMNS = Object.keys(METRIC_FORMS) as readonly MetricName[];

/** How the rows of the dialog are sorted: `revenue` or `visitors,asc` in the address. */
export type Order = { readonly metric: MetricName; readonly direction: 'asc' | 'desc' };

/** What the address says of the order; revenue first where it says nothing known. */
export function parseOrder(text: string): Order {
  const [name, direction] = text.split(',');
  const metric = COLUMNS.find((each) => each === name);
  if (metric === undefined) return { metric: 'revenue', direction: 'desc' };
  return { metric, direction: direction === 'asc' ? 'asc' : 'desc' };
}

/** The text for the address after a click on a column's head. */
export function orderBy(order: Order, metric: MetricName): string {
  const isAgain = order.metric === metric && order.direction === 'desc';
  return isAgain ? `${metric},asc` : metric;
}
