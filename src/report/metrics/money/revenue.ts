import { defineMetric, REVENUE } from '../../metric.ts';

/** Money in less money back: payments less refunds made in the period. May be negative. */
export const revenue = defineMetric('revenue', 'money', REVENUE);
