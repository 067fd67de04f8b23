import { defineMetric, VISITORS } from '../../metric.ts';

/** The row's share of the query's visitors, in percent. */
export const percentage = defineMetric('percentage', 'percent', VISITORS, {
  ...VISITORS,
  ignores: 'rows',
});
