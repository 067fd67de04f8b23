import { defineMetric, ofConversions } from '../../metric.ts';

/**
 * Goals reached in the period, counted every time. With visit dimensions, the attribution model splits
 * them among the visitor's visits.
 */
export const conversions = defineMetric('conversions', 'credit', ofConversions('sum(credit)'));
