import { defineMetric, ofAttention, ofVisits, VISITS } from '../../metric.ts';

const VISIBLE_MS = 'sum(engagement_ms)';

/**
 * Average visible time per visit, in whole seconds, as reported by the tracker. With an event dimension
 * or filter, the time on matching pages, per visit with such a page.
 */
export const engagementTime = defineMetric(
  'engagement_time',
  'seconds',
  ofVisits(VISIBLE_MS, { byEvent: ofAttention(VISIBLE_MS) }),
  VISITS,
);
