import { defineMetric, ofConversions } from '../../metric.ts';

/**
 * Goals reached in the period, each time one is reached. By visit dimensions, shared out among the
 * visitor's visits by the attribution model.
 */
export const conversions = defineMetric('conversions', 'credit', ofConversions('sum(credit)'));
