import { defineMetric } from '../../metric.ts';

/** Pages shown in the period. */
export const pageviews = defineMetric({
  name: 'pageviews',
  unit: 'count',
  parts: { pageviews: { of: 'events', sql: "countIf(type = 'pageview')" } },
  toSql: ({ pageviews }) => pageviews,
});
