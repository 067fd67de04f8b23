import { averageSeconds, defineMetric, VISITS } from '../../metric.ts';

/**
 * Average time from a visit's first event to its last, in whole seconds, visits of one event
 * (0 seconds) included.
 */
export const visitDuration = defineMetric({
  name: 'visit_duration',
  unit: 'seconds',
  parts: {
    durationMs: { of: 'visits', sql: 'sum(duration_ms)' },
    visits: VISITS,
  },
  toSql: ({ durationMs, visits }) => averageSeconds(durationMs, visits),
});
