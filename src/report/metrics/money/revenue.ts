import { defineMetric, REVENUE } from '../../metric.ts';

/** Payments less refunds made in the period. May be negative. */
export const revenue = defineMetric('revenue', 'money', REVENUE);
