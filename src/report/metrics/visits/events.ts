import { defineMetric } from '../../metric.ts';

/** What visitors did in the period: pageviews, goals, outbound clicks and downloads. */
export const events = defineMetric({
  name: 'events',
  unit: 'count',
  parts: { events: { of: 'events', sql: 'count()' } },
  toSql: ({ events }) => events,
});
