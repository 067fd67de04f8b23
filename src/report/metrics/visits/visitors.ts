import { defineMetric, VISITORS } from '../../metric.ts';

/**
 * Distinct visitors with a visit that began in the period; by an event dimension or filter, distinct
 * visitors with such an event in the period.
 */
export const visitors = defineMetric('visitors', 'count', VISITORS);
