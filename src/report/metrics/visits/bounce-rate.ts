import { defineMetric, ratio, VISITS } from '../../metric.ts';

/** Percentage of visits with one pageview and no goal. */
export const bounceRate = defineMetric({
  name: 'bounce_rate',
  unit: 'percent',
  parts: {
    bounces: { of: 'visits', sql: 'countIf(pageviews = 1 AND goals = 0)' },
    visits: VISITS,
  },
  toSql: ({ bounces, visits }) => ratio(bounces, visits, 100),
});
