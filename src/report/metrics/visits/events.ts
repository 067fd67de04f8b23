import { defineCount } from '../../metric.ts';

/** What visitors did in the period: pageviews, goals, outbound clicks and downloads. */
export const events = defineCount({
  name: 'events',
  unit: 'count',
  of: 'events',
  sql: 'count()',
});
