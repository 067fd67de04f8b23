import { defineMetric, ofVisits, VISITS } from '../../metric.ts';

/**
 * Average time from a visit's first event to its last, in whole seconds, visits of one event
 * (0 seconds) included.
 */
export const visitDuration = defineMetric(
  'visit_duration',
  'seconds',
  ofVisits('sum(duration_ms)'),
  VISITS,
);
