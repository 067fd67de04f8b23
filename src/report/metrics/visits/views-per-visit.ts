import { defineMetric, ofVisits, VISITS } from '../../metric.ts';

/** Pageviews per visit, over visits that began in the period. Includes their pageviews after it. */
export const viewsPerVisit = defineMetric(
  'views_per_visit',
  'average',
  ofVisits('sum(pageviews)'),
  VISITS,
);
