import { defineMetric, REVENUE, VISITORS } from '../../metric.ts';

/** Revenue of the period divided by its visitors, rounded to the minor unit, halves away from zero. */
export const revenuePerVisitor = defineMetric('revenue_per_visitor', 'money', REVENUE, VISITORS);
