import { defineMetric, ofPayments } from '../../metric.ts';

/** Renewals paid in the period, refunded later or not. */
export const grossRenewalRevenue = defineMetric(
  'gross_renewal_revenue',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'payment' AND renewal = 1)"),
);
