import { defineMetric, VISITORS } from '../../metric.ts';

/**
 * Distinct visitors with a visit that began in the period. With an event dimension or filter, distinct
 * visitors with a matching event in the period.
 */
export const visitors = defineMetric('visitors', 'count', VISITORS);
