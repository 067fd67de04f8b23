import { defineMetric, ratio, VISITS } from '../../metric.ts';

/** Pageviews of the visits that began in the period, whenever they came, to a visit. */
export const viewsPerVisit = defineMetric({
  name: 'views_per_visit',
  unit: 'average',
  parts: {
    views: { of: 'visits', sql: 'sum(pageviews)' },
    visits: VISITS,
  },
  toSql: ({ views, visits }) => ratio(views, visits),
});
