import { defineMetric, ofPayments } from '../../metric.ts';

/** Payments made in the period, in any currency, including renewals, trials and refunded payments. */
export const payments = defineMetric(
  'payments',
  'credit',
  ofPayments("sumIf(credit, kind = 'payment')"),
);
