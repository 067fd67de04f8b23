import { defineMetric, ofPayments } from '../../metric.ts';

/** Payments made in the period, in any currency, renewals, trials and refunded ones included. */
export const payments = defineMetric(
  'payments',
  'credit',
  ofPayments("sumIf(credit, kind = 'payment')"),
);
