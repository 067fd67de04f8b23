import { defineMetric, VISITS } from '../../metric.ts';

/**
 * Visits that began in the period. With an event dimension or filter, only visits with a matching event.
 * A visit with two pages counts in the rows of both.
 */
export const visits = defineMetric('visits', 'count', VISITS);
