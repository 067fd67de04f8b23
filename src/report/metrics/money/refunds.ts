import { defineMetric, ofPayments } from '../../metric.ts';

/** Refunds made in the period, whenever the payment was made. A positive amount. */
export const refunds = defineMetric(
  'refunds',
  'money',
  ofPayments("sumIf(amount_minor, kind = 'refund')"),
);
