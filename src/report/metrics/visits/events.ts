import { defineMetric, ofEvents } from '../../metric.ts';

/** Pageviews, goals, outbound clicks and downloads in the period. */
export const events = defineMetric('events', 'count', ofEvents('count()'));
