import { defineMetric, ofPayments } from '../../metric.ts';

/** Payments made in the period that are not renewals, refunded later or not. */
export const grossNewRevenue = defineMetric(
  'gross_new_revenue',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'payment' AND renewal = 0)"),
);
