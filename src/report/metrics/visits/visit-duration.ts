import { defineMetric, ofVisits, VISITS } from '../../metric.ts';

/**
 * Average time from a visit's first event to its last, in whole seconds. Includes visits with a single
 * event (0 seconds).
 */
export const visitDuration = defineMetric(
  'visit_duration',
  'seconds',
  ofVisits('sum(duration_ms)'),
  VISITS,
);
