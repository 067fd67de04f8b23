import { defineMetric, VISITS } from '../../metric.ts';

/**
 * Visits that began in the period; by an event dimension or filter, those with such an event. A
 * visit that saw two pages counts in the rows of both.
 */
export const visits = defineMetric('visits', 'count', VISITS);
