import { defineMetric, ofVisits, VISITS } from '../../metric.ts';

/** Pageviews of the visits that began in the period, whenever they came, to a visit. */
export const viewsPerVisit = defineMetric(
  'views_per_visit',
  'average',
  ofVisits('sum(pageviews)'),
  VISITS,
);
