import { averageSeconds, defineMetric, VISITS } from '../../metric.ts';

/**
 * Average visible time of a visit, in whole seconds, as the tracker reports it; by an event dimension
 * or filter, the time on such pages of the visits that have them.
 */
export const engagementTime = defineMetric({
  name: 'engagement_time',
  unit: 'seconds',
  parts: {
    visibleMs: {
      of: 'visits',
      sql: 'sum(engagement_ms)',
      byEvent: { of: 'attention', sql: 'sum(engagement_ms)' },
    },
    visits: VISITS,
  },
  toSql: ({ visibleMs, visits }) => averageSeconds(visibleMs, visits),
});
