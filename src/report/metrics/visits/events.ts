import { defineMetric, ofEvents } from '../../metric.ts';

/** What visitors did in the period: pageviews, goals, outbound clicks and downloads. */
export const events = defineMetric('events', 'count', ofEvents('count()'));
