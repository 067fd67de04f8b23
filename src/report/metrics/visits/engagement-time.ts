import { defineMetric, ofAttention, ofVisits, VISITS } from '../../metric.ts';

const VISIBLE_MS = 'sum(engagement_ms)';

/**
 * Average visible time of a visit, in whole seconds, as the tracker reports it; by an event dimension
 * or filter, the time on such pages of the visits that have them.
 */
export const engagementTime = defineMetric(
  'engagement_time',
  'seconds',
  ofVisits(VISIBLE_MS, { byEvent: ofAttention(VISIBLE_MS) }),
  VISITS,
);
