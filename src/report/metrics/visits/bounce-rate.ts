import { defineMetric, ofVisits, VISITS } from '../../metric.ts';

/** Percentage of visits with one pageview and no goal. */
export const bounceRate = defineMetric(
  'bounce_rate',
  'percent',
  ofVisits('countIf(pageviews = 1 AND goals = 0)'),
  VISITS,
);
