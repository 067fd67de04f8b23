import { defineMetric, ofEvents } from '../../metric.ts';

/** Pages shown in the period. */
export const pageviews = defineMetric('pageviews', 'count', ofEvents("countIf(type = 'pageview')"));
