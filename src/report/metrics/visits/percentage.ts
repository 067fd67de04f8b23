import { defineMetric, VISITORS } from '../../metric.ts';

/** Percentage of the query's visitors who are in the row. */
export const percentage = defineMetric('percentage', 'percent', VISITORS, {
  ...VISITORS,
  ignores: 'rows',
});
