import { defineCount } from '../../metric.ts';

/** Pages shown in the period. */
export const pageviews = defineCount({
  name: 'pageviews',
  unit: 'count',
  of: 'events',
  sql: "countIf(type = 'pageview')",
});
