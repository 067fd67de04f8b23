import { defineMetric, ofConversions, ofVisits, VISITORS } from '../../metric.ts';

/**
 * Percentage of visitors who reached a goal. With event dimensions and filters, it is the share of all
 * visitors of the period who reached *this* goal.
 *
 * Why it may exceed 100 with visit dimensions: a visitor who converts in this period may be credited to a
 * source of an earlier period.
 */
export const conversionRate = defineMetric(
  'conversion_rate',
  'percent',
  ofConversions(VISITORS.sql),
  ofVisits(VISITORS.sql, { ignores: 'events' }),
);
