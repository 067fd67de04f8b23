import { defineMetric, ofConversions, ofVisits, VISITORS } from '../../metric.ts';

/**
 * Percentage of visitors who reached a goal. By event dimensions and filters the share is of all
 * visitors of the period: how many of them reached *this* goal.
 *
 * Why it may pass 100 by visit dimensions: a visitor can convert in this period and be credited to a
 * source that brought them in an earlier one.
 */
export const conversionRate = defineMetric(
  'conversion_rate',
  'percent',
  ofConversions(VISITORS.sql),
  ofVisits(VISITORS.sql, { ignores: 'events' }),
);
