import { defineMetric, ofPayments } from '../../metric.ts';

/** Payments made in the period, refunded later or not. */
export const grossRevenue = defineMetric(
  'gross_revenue',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'payment')"),
);
